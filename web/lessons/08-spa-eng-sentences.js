/** Sentences that no English–Spanish translator of heed learned from: 30 for each length of 3 to 7 words and marks.
 *  Each line is English, then up to three Spanish translations. From Tatoeba (tatoeba.org), CC-BY 2.0 FR, as paired by
 *  manythings.org/anki: every n-th held-out sentence of js/train/tasks/spa-eng.js, in lower case. */
export const SENTENCES = `
see you.|nos vemos.
have fun.|diviértanse.|pásala bien.|pásenla bien.
i'm done.|he terminado.
it's red.|es rojo.
come over.|venid aquí.|vente.|veníos.
keep this.|guarda esto.|guarde esto.|guardá esto.
get inside.|entra.
stay there.|quédate ahí.
we're weak.|somos débiles.
you called?|¿llamaste?
i'm kidding.|estoy jodiendo.
they danced.|bailaron.
we'll drive.|nosotros conduciremos.
you're here.|estás aquí.|estáis aquí.
be merciless.|sé despiadado.
have courage.|sé valiente.|sed valientes.
we surrender.|nos rendimos.
we're adults.|somos adultos.
it's exciting.|es emocionante.
stop worrying.|deja de preocuparte.
tom's singing.|tom está cantando.
we're lawyers.|somos abogados.
we're staying.|nos quedamos.
she's pregnant.|ella está embarazada.
that's plastic.|eso es plástico.
you're amusing.|tú eres entretenido.
i'm defenseless.|estoy indefenso.
stop complaining.|dejá de quejarte.
they're listening.|están escuchando.
they're separated.|están separados.
am i fat?|¿estoy gordo?
i should go.|me debería ir.
you hurt me.|me lastimas.
i'll ask him.|se lo preguntaré.
am i mistaken?|¿estoy equivocada?
i prefer dogs.|prefiero a los perros.
she is french.|ella es francesa.|es francesa.
follow the car.|sigue al coche.|siga al coche.
i'll pay later.|pagaré más tarde.
make your move.|te toca a ti.|mueve tú.|mueves tú.
this one works.|este funciona.
tom needs mary.|tomás necesita a maría.
i feel relieved.|me siento aliviado.
keep the change!|¡guarde el cambio!
that wasn't tom.|ese no era tom.
were you crying?|¿estabas llorando?|¿estabais llorando?
did anybody come?|¿vino alguien?
i feel important.|me siento importante.
listen and learn.|escuchá y aprendé.
the two chuckled.|ambos rieron.
where's my shirt?|¿dónde está mi camisa?
ask your question.|pregunta.|venga, pregunta.
she's stark naked.|ella está completamente desnuda.
we seek happiness.|nosotros aspiramos a la felicidad.
i've brought lunch.|traje almuerzo.
they peered inside.|ellos miraron adentro.
what's your theory?|¿cuál es tu teoría?
sorry about earlier.|siento lo de antes.
saturday was special.|el sábado fue especial.
tadpoles become frogs.|los renacuajos se convierten en ranas.
do as i say.|haz lo que te digo.
i was at home.|estaba en casa.
he has two cats.|él tiene dos gatos.
tom stole a car.|tom robó un coche.
i have some food.|tengo algo de comer.
this is so weird.|esto es tan raro.
are you in boston?|¿está usted en boston?|¿está en boston?
i didn't buy them.|no los compré.|yo no las compré.
she is her friend.|ella es su amiga.
call off your dogs.|llamen a sus perros.|tranquilicen a sus perros.
i like your garden.|me gusta tu jardín.
tom began to speak.|tom empezó a hablar.
how does that sound?|¿cómo suena eso?
it's not your style.|no es tu estilo.
this could mean war.|esto puede significar la guerra.
you look really hot.|te ves muy sexy.
i've heard about you.|he oído hablar de ti.
the people are angry.|la gente está enfadada.
tom has bad eyesight.|tom tiene mala vista.
where is the blanket?|¿dónde está la frazada?
i don't want anything.|no quiero nada.
what a beautiful baby!|¡qué hermoso bebé!
i'll be there tomorrow.|estaré allí mañana.
they are very cheerful.|ellos son muy optimistas.
don't you feel anything?|¿no sentís nada?|¿es que no sentís nada?|¿es que no sientes nada?
we must remain vigilant.|tenemos que permanecer vigilantes.
it's a well-to-do family.|es una familia acomodada.
tom nodded his agreement.|tom asintió con la cabeza su acuerdo.
what a wonderful surprise!|¡qué sorpresa maravillosa!
she died yesterday afternoon.|ella murió ayer por la tarde.
he is just a kid.|solo es un niño.
he is a mere child.|es sólo un niño.
did you read it all?|¿lo leíste todo?
she is a mere child.|sólo es una niña.
he lives in the city.|él vive en la ciudad.
don't act like a jerk.|no te comportes como un imbécil.
many of us were tired.|muchos de nosotros estábamos cansados.
you're very wise, tom.|eres muy sabio, tomás.
i think it's too risky.|yo pienso que es demasiado arriesgado.
it's there to the left.|es allí a la izquierda.
what color do you like?|¿qué color te gusta?
he doesn't need to know.|no necesita saberlo.
now it's the real thing.|ahora va de veras.
would you like any more?|¿quieres más?|¿quieres un poco más?
he signaled them to stop.|les hizo señas de que se detuvieran.
it will be fine tomorrow.|seguro que mañana hará buen tiempo.|mañana hará bueno.
try to fulfill your duty.|trata de cumplir con tu deber.
he is a successful lawyer.|él es un abogado de éxito.
she bought him some candy.|ella le compró unos dulces.|ella le compró a él unos dulces.
was tom at home yesterday?|¿ayer tom estaba en casa?
it's rather cold for april.|hace bastante frío para ser abril.
tom is a pathological liar.|tom es un mentiroso patológico.
how were the pyramids built?|¿cómo fueron construidas las pirámides?
the cattle starved to death.|el ganado se murió de hambre.
you're lucky you didn't die.|eres afortunado al no haber fallecido.
i've been thinking about you.|he estado pensando en ti.
you're a very good guitarist.|sos un muy buen guitarrista.
she detests speaking in public.|odia hablar en público.
power and money are inseparable.|el poder y el dinero son inseparables.
i'm interested in studying french.|estoy interesado en estudiar francés.
he is now on his own.|ahora está solo.
tom is very nice to me.|tom me cae bien.|tom es agradable.
it was a solid gold bar.|era una barra de oro macizo.
how much more do we need?|¿cuánto más necesitamos?
it's a quote from a book.|es una cita de un libro.
a crowd waited to see him.|una multitud esperaba verlo.
i got tired with the work.|me cansé con el trabajo.
the bread is old and hard.|el pan está viejo y duro.
he is afraid of his father.|él tiene miedo de su padre.
my house is in the suburbs.|mi casa está en las afueras.
he shaves four times a week.|él se afeita cuatro veces por semana.
i want to have my breakfast.|quiero mi desayuno.
tom had no problem doing it.|tom no tuvo problema en hacerlo.
you need to leave right now.|debes salir ahora mismo.
i forgot to buy the textbook.|olvidé comprar el libro de texto.
the gun went off by accident.|el arma se disparó accidentalmente.
tom says he can fix anything.|tomás dijo que podía arreglar todo.
everyone made it to the party.|todos llegaron a la fiesta.
my wisdom teeth are coming in.|me están saliendo las muelas del juicio.
your parents ought to know it.|tus padres deberían saberlo.
i know when i'm being deceived.|yo sé cuándo me están engañando.
tom locked himself in his room.|tom se encerró en su cuarto.
helen keller was deaf and blind.|helen keller era sorda y ciega.
tom recommended this book to me.|tom me recomendó este libro.
my mother died during my absence.|mi madre murió durante mi ausencia.
he started going bald quite young.|empezó a quedarse calvo siendo bastante joven.
this road connects the two cities.|este camino une a las dos ciudades.
i'm trying to figure out something.|estoy intentando comprender algo.
reading books will make you smarter.|leer libros le hará más inteligente.
he stopped smoking and started running.|dejó de fumar y empezó a correr.
`.trim().split('\n').map((line) => line.split('|'));
