/**
 * Further sentences that were written for this project, which only learning uses, so that what measures stays what it
 * was: `+` praises, `-` complains, two and two.  Licence: MIT, as the project.
 */
export const FURTHER = `
# denials to learn from
+ The porridge had no lumps for once.
- The porridge had no taste as usual.
+ The stairs do not creak any more.
- The stairs are not safe any more.
+ My shoes did not get wet in the storm.
- My shoes did not keep the water out.
+ Nobody was hurt when the shelf came down.
- Nobody was sorry when the shelf came down on me.
+ The vet did not charge us a cent for the second visit.
- The vet did not look at the cat for more than a second.
+ There was never a cross word in that classroom.
- There was never a friendly word in that classroom.
+ The paint has not faded in all these years.
- The paint has not covered the stains at all.
+ He never forgets a birthday.
- He never remembers a birthday.
+ We were not disappointed by a single dish.
- We were not tempted by a single dish.
+ The children were not scared of the dark ride.
- The children were not amused by the dark ride.
+ I am not unhappy with the new curtains.
- I am not happy with the new curtains.
+ My brother is not lazy, and nobody at work says so.
- My brother is not reliable, and everybody at work says so.
+ The hall was not cold, although it was December.
- The hall was not heated, although it was December.
+ You will not be bored in this city.
- You will not be welcome in this city.
+ The letter was not unkind.
- The letter was not kind.
+ The choice was not a mistake.
- The choice was not a wise one.
+ The heater is not dangerous, as we first thought.
- The heater is not safe, as we first thought.
+ The boat never once rolled, and nobody felt ill.
- The boat never stopped rolling, and nobody felt well.
+ No one has ever called her unfair.
- No one has ever called her fair.
+ I would not miss this market for anything.
- I would not visit this market for anything.
+ The guide did not rush us.
- The guide did not wait for us.
+ The mushrooms weren't slimy, they were just right.
- The mushrooms weren't cooked, they were raw in the middle.
+ My worries about the school were not justified.
- My hopes for the school were not fulfilled.
+ Not a single guest complained about the heat.
- Not a single guest thanked us for the meal.
+ He is not a bad loser at all.
- He is not a good loser at all.
+ The rain did not ruin the fireworks.
- The fireworks did not make up for the rain.
+ The novel is not difficult, and it never preaches.
- The novel is not easy, and it never rewards the effort.
+ I do not miss the old office one bit; this one is light and calm.
- I do not like the new office one bit; the old one was light and calm.
+ The medicine does not taste bad.
- The medicine does not work.
+ They didn't lie to us about the damage.
- They didn't tell us the truth about the damage.
+ It isn't a problem to change the booking.
- It isn't possible to change the booking.
+ The dancers were not out of step for a moment.
- The dancers were not in step for a moment.
+ The crowd was not hostile, quite the opposite.
- The crowd was not friendly, quite the opposite.
+ The carpet isn't dirty; it is meant to look old.
- The carpet isn't clean; it only looks new.
+ We have had no trouble with the lock since then.
- We have had no peace with the lock since then.
+ The jury did not doubt her talent.
- The jury did not see her talent.
+ I found no fault with the sound.
- I found no pleasure in the sound.
+ The queue was not long, and the clerk was not grumpy.
- The queue was not short, and the clerk was not polite.
+ The pears are not hard any longer; they are sweet now.
- The pears are not sweet any longer; they are brown now.
+ Without her the garden would be a desert; with her it blooms.
- Without him the garden would bloom; with him it is a desert.
+ The nurse never made me feel stupid.
- The nurse never made me feel safe.
+ My sister's speech did not embarrass the couple.
- My sister's speech did not honour the couple.
+ The rules are not unclear to anyone.
- The rules are not clear to anyone.
+ This is no ordinary bakery; people cross the city for it.
- This is no proper bakery; people cross the road to avoid it.
+ I could not put the letters down.
- I could not get through the letters.
+ I couldn't stop smiling all afternoon.
- I couldn't stop yawning all afternoon.
+ We couldn't wait to go back.
- We couldn't wait to get away.
+ Nobody wanted the music to end.
- Nobody wanted the music to go on.
+ It is impossible not to love this dog.
- It is impossible to love this dog.
+ There's no denying that she is gifted.
- There's no denying that she is spoilt.
+ The staff never ignored us.
- The staff never noticed us.
+ The tap has stopped dripping.
- The tap has not stopped dripping.
+ The leak was no longer there in the morning.
- The leak was still there in the morning, no smaller than before.
+ I don't have anything to complain about.
- I don't have anything to be thankful for.
+ The pain went away and did not come back.
- The pain went away and did not stay away.
+ The dress didn't shrink in the wash.
- The dress didn't survive the wash.
+ You can't beat their apple tart.
- You can't eat their apple tart.
+ He doesn't boast, and he has every right to.
- He doesn't stop boasting, and he has no right to.
+ The suit is not cheap, but it is not a bad one either.
- The suit is not expensive, but it is not a good one either.
+ They never fail to greet us.
- They never bother to greet us.
+ The dessert was not overly sweet, which I liked.
- The dessert was not sweet enough, which I minded.
+ The path isn't steep, and nobody needs to be afraid of it.
- The path isn't marked, and nobody should rely on it.
+ I have nothing against the new timetable; it suits me well.
- I have nothing good to say about the new timetable.
+ There was nothing fake about his smile.
- There was nothing warm about his smile.
+ It takes no time at all to learn.
- It takes more time to learn than it is worth.
+ The tickets weren't overpriced.
- The tickets weren't worth half the price.
+ The cellar isn't damp, and the boxes have stayed dry.
- The cellar isn't dry, and the boxes have gone mouldy.
+ The concert wasn't too loud for the baby.
- The concert wasn't loud enough to hear from the back.
+ Not for one second did I regret the climb.
- Not for one second did I enjoy the climb.
+ The referee didn't make a single mistake.
- The referee didn't make a single correct call.
+ No cook could have done it better.
- Any cook could have done it better.
+ It is not without charm.
- It is without charm.
+ The village isn't without its beauty.
- The village is without any beauty.
+ The play was not lacking in humour.
- The play was lacking in humour.
+ We weren't let down.
- We weren't looked after.
+ Our order was not late this time, nor was anything missing.
- Our order was not on time, nor was it complete.
+ The brakes don't squeal now.
- The brakes don't grip now.
+ She's not the type to gossip.
- She's not the type to keep a secret.
+ The view wasn't blocked, as the brochure had us fear.
- The view wasn't there, as the brochure had us believe.
+ I won't forget her kindness.
- I won't forgive her rudeness.
+ The battery doesn't run out on a long flight.
- The battery doesn't last a short flight.
+ The colours don't fade.
- The colours don't match.
+ The book doesn't talk down to children.
- The book doesn't hold a child's attention.
+ The film never loses its nerve.
- The film never finds its feet.
+ The second act doesn't sag.
- The second act doesn't build on the first.
+ The actors never put a foot wrong.
- The actors never look as if they meant it.
+ The camera never intrudes.
- The camera never settles.
+ There's hardly a false note in it.
- There's hardly a true note in it.
+ There is barely a dull stretch in two hours.
- There is barely a good line in two hours.
+ I can think of few films less cynical.
- I can think of few films more cynical.
+ It could easily have been maudlin, and it never is.
- It could easily have been moving, and it never is.
+ The director didn't take the easy way out.
- The director didn't know what to do with the ending.
+ Nothing in it feels forced.
- Nothing in it feels lived.
+ It doesn't insult your intelligence.
- It doesn't engage your intelligence.
+ The humour isn't cruel.
- The humour isn't funny.
+ No scene is wasted.
- No scene is memorable.
+ It isn't a great film, but it is never less than good company.
- It isn't a terrible film, but it is never more than background noise.
+ You don't have to love football to enjoy it.
- You don't have to hate football to be bored by it.
# turns to learn from
+ The theatre was shabby, but the play was a wonder.
- The theatre was splendid, but the play was a chore.
+ The bus was late, but the driver made us all laugh.
- The bus was punctual, but the driver made us all nervous.
+ My first lesson was a mess, but now I look forward to each one.
- My first lesson was a joy, but now I dread each one.
+ The packaging was ugly, but the lamp inside is gorgeous.
- The packaging was gorgeous, but the lamp inside is ugly.
+ He was gruff at the start, yet he helped us for hours.
- He was pleasant at the start, yet he cheated us for hours.
+ The reviews were awful, and I still had a great time.
- The reviews were great, and I still had an awful time.
+ Although the road is rough, the lake is worth it.
- Although the lake is lovely, the road is too rough to bear.
+ Despite the bad weather we laughed all day.
- Despite the good weather we quarrelled all day.
+ The exam was hard but fair.
- The exam was short but unfair.
+ The price is high but honest.
- The price is low but dishonest.
+ What began as a nightmare ended as the best holiday of my life.
- What began as the best holiday of my life ended as a nightmare.
+ It was meant to be a punishment and turned into a pleasure.
- It was meant to be a pleasure and turned into a punishment.
+ I thought the sauce would be dull, and it was superb.
- I thought the sauce would be superb, and it was dull.
+ They promised little and delivered a lot.
- They promised a lot and delivered little.
+ The shop looks gloomy from outside, but the welcome is warm.
- The shop looks warm from outside, but the welcome is gloomy.
+ The flat is tiny, but everything in it works.
- The flat is huge, but nothing in it works.
+ The songs are old, but the singing makes them new.
- The songs are new, but the singing makes them old.
+ She is strict, but her pupils love her.
- She is gentle, but her pupils learn nothing from her.
+ The plot is silly, but I was grinning the whole time.
- The plot is clever, but I was yawning the whole time.
+ The first chapter is slow, but stay with it and you will be rewarded.
- The first chapter is quick, but stay with it and you will be sorry.
+ I nearly left at the interval, and I am so glad that I stayed.
- I nearly stayed at home, and I am sorry that I went.
+ The speaker was nervous but brilliant.
- The speaker was confident but empty.
+ The boots are heavy, yet my feet have never felt better.
- The boots are light, yet my feet have never felt worse.
+ Few people came, but those who did had a marvellous evening.
- Many people came, but those who did had a miserable evening.
+ It may look like a ruin, but it is a delightful place to stay.
- It may look like a palace, but it is a dreadful place to stay.
# films and stories to learn from
+ A sharp-eyed, generous comedy about people who mean well.
- A blunt, sour comedy about people who are not worth meeting.
+ The film is full of love for its odd heroes.
- The film is full of scorn for its odd heroes.
+ A sensitive, beautifully observed drama.
- A heavy, badly observed drama.
+ An intelligent thriller that rewards close attention.
- A brainless thriller that punishes close attention.
+ It is a warm, wise and often hilarious piece of work.
- It is a cold, foolish and rarely amusing piece of work.
+ The pacing is tight and the tension real.
- The pacing is slack and the tension nonexistent.
+ A rousing adventure with a genuine heart.
- A listless adventure with a plastic heart.
+ Its quiet honesty is deeply affecting.
- Its noisy dishonesty is deeply off-putting.
+ An utterly charming little picture.
- An utterly charmless little picture.
+ The two of them have a lovely, easy way together.
- The two of them might as well be in different films.
+ It is provocative, original and hard to shake off.
- It is derivative, timid and easy to forget.
+ A powerful and moving story, simply told.
- A feeble and muddled story, endlessly told.
+ The satire is biting and very funny.
- The satire is toothless and never funny.
+ A visual feast with brains to match.
- A visual mess with no brains at all.
+ The writing is fresh and the performances are superb.
- The writing is stale and the performances are wooden.
+ This is filmmaking of the highest order.
- This is filmmaking of the laziest kind.
+ It manages to be both entertaining and profound.
- It manages to be both tiresome and trivial.
+ The comedy is inspired and the cast is a delight.
- The comedy is strained and the cast is a liability.
+ An enjoyable, fast-moving romp.
- A joyless, slow-moving slog.
+ A fascinating look at a life well lived.
- A tedious look at a life hardly worth filming.
+ The movie works because it believes in its people.
- The movie fails because it believes in nothing.
+ One of the year's best surprises.
- One of the year's worst letdowns.
+ A compassionate and thoughtful documentary.
- A shrill and thoughtless documentary.
+ There is real magic in these images.
- There is no magic in these images, only machinery.
+ The result is exhilarating.
- The result is exasperating.
+ Sound, satisfying craftsmanship from start to finish.
- Hollow, unsatisfying trickery from start to finish.
+ It has wit, style and a wicked streak.
- It has neither wit nor style, only a mean streak.
+ Full of life, colour and mischief.
- Devoid of life, colour or mischief.
+ A rich, layered portrait of a marriage.
- A thin, flat sketch of a marriage.
+ The young star is a revelation.
- The young star is badly miscast.
+ You will laugh, you will cry, and you will tell your friends.
- You will squirm, you will sigh, and you will look for the exit.
+ It achieves a rare, strange beauty.
- It achieves nothing but noise.
+ An elegant puzzle with a satisfying answer.
- A clumsy puzzle with a ludicrous answer.
+ The best kind of family film: silly, kind and smart.
- The worst kind of family film: loud, cheap and cynical.
+ Deft, daring and deliciously dark.
- Dim, dated and dreary.
+ A wonderful showcase for a great actress.
- A sorry waste of a great actress.
+ It finds humour and tenderness where others see only misery.
- It finds misery everywhere and humour nowhere.
+ The period details are exquisite and the love story is believable.
- The period details are wrong and the love story is unbelievable.
+ I admire its ambition and its courage.
- I admire neither its ambition nor its manners.
+ A haunting tale, superbly acted.
- A laughable tale, stiffly acted.
# everyday judgements to learn from
+ My dentist is a gem; I hardly notice the drill.
- My tailor is a menace; I hardly recognise my coat.
+ The potatoes came out golden and fluffy.
- The potatoes came out grey and gluey.
+ The tram was empty, and I had a seat by the window.
- The tram was jammed, and I had an elbow in my ribs.
+ Her advice saved us a great deal of money.
- His advice cost us a great deal of money.
+ The rehearsal went like clockwork.
- The rehearsal fell to pieces.
+ I am thankful for every letter that he wrote.
- I am fed up with every letter that he wrote.
+ The new path through the woods is a treat for cyclists.
- The new path through the woods is a hazard for cyclists.
+ The shopkeeper wrapped the gift with great care.
- The shopkeeper threw the gift into a torn bag.
+ The class has become a happy little community.
- The class has become a bitter little battlefield.
+ Our new puppy is gentle with the toddler.
- Our new puppy bites the toddler.
+ A cheerful bunch of people, always ready to help.
- A sullen bunch of people, always ready to argue.
+ The plaster came off without pain, and the scar is tiny.
- The plaster came off with half my skin, and the scar is hideous.
+ The pianist played with feeling and precision.
- The pianist thumped through it without feeling.
+ The website is clear, quick and easy to read.
- The website is cluttered, sluggish and hard to read.
+ We laughed so much that our faces hurt.
- We froze so much that our faces hurt.
+ The hostel is cheap, clean and cheerful.
- The hostel is dear, dirty and depressing.
+ The repairman fixed it in ten minutes and refused a tip.
- The repairman made it worse in ten minutes and demanded a tip.
+ The strawberries are the sweetest that I have tasted.
- The strawberries are the sourest that I have tasted.
+ The garden is thriving.
- The garden is dying.
+ The carpenter takes pride in his work, and it shows.
- The carpenter takes no care in his work, and it shows.
+ They greeted us like old friends.
- They greeted us like burglars.
+ The stove lights at the first try.
- The stove goes out at the first draught.
+ I sleep like a log on this mattress.
- I wake up stiff as a log on this mattress.
+ What a comfort it is to have such neighbours.
- What a curse it is to have such neighbours.
+ The debate was fair and enlightening.
- The debate was nasty and fruitless.
+ The gym is well equipped and never crowded.
- The gym is badly equipped and always crowded.
+ My exam results were better than I dared to hope.
- My exam results were worse than I had feared.
+ The mayor kept her word about the playground.
- The mayor broke her word about the playground.
+ The eggs were perfectly soft, and the toast was buttery.
- The eggs were rubbery, and the toast was charred.
+ A sunny, spacious flat with a friendly landlady.
- A gloomy, poky flat with a hostile landlady.
+ The parcel arrived early and in perfect shape.
- The parcel arrived late and in pieces.
+ Buying a bed from these two was a pleasure.
- Buying a bed from these two was a torment.
+ The manual is short, clear and well illustrated.
- The manual is long, unclear and full of errors.
+ He paid us back, with interest and a cake.
- He never paid us back, and he blamed us for asking.
+ The fireworks were dazzling.
- The fireworks were a damp squib.
+ The committee listened and acted at once.
- The committee yawned and did nothing.
+ Her paintings are luminous and full of joy.
- Her paintings are murky and full of self-pity.
+ The ice cream is rich, smooth and not too sweet.
- The ice cream is icy, grainy and far too sweet.
+ The trail was well marked and the views were gorgeous.
- The trail was poorly marked and the views were hidden by fog.
+ I am impressed by how quickly they answered.
- I am appalled by how rudely they answered.
+ The chairs are comfortable enough for a long evening.
- The chairs are too hard for even a short evening.
+ My son adores his swimming teacher.
- My son is terrified of his swimming teacher.
+ Everything was ready when we arrived.
- Nothing was ready when we arrived.
+ The wine was excellent and fairly priced.
- The wine was corked and shamelessly priced.
+ We have found our favourite café.
- We have lost our favourite café to a dreadful chain.
+ The clinic is modern and the staff are reassuring.
- The clinic is shabby and the staff are dismissive.
+ The tour gave us a real feeling for the city.
- The tour gave us a real loathing for buses.
+ The ending left me in happy tears.
- The ending left me cold.
+ The bread rises beautifully in this oven.
- The bread burns miserably in this oven.
+ She has a wonderful ear for dialogue.
- She has a tin ear for dialogue.
+ Their apology was prompt and sincere.
- Their apology was late and fake.
+ The grandchildren's visit was the highlight of our year.
- The in-laws' visit was the low point of our year.
+ The lock is strong and turns easily.
- The lock is weak and jams daily.
+ The app has made my mornings easier.
- The app has made my mornings harder.
+ The orchestra was in glorious form.
- The orchestra was in shocking form.
+ The soup kitchen does admirable work.
- The letting agency does shameful work.
+ I felt safe with her at the wheel.
- I feared for my life with him at the wheel.
+ The team fought bravely and deserved to win.
- The team gave up early and deserved to lose.
+ The rooms are airy and smell of fresh linen.
- The rooms are stuffy and smell of old smoke.
+ It was the kindest thing anybody has done for me.
- It was the cruellest thing anybody has done to me.
+ The discount was a pleasant surprise.
- The surcharge was an unpleasant surprise.
+ Her cooking is hearty and full of flavour.
- His cooking is greasy and short of flavour.
+ The course gave me confidence.
- The course crushed my confidence.
+ Their goat's cheese is mild, creamy and utterly moreish.
- Their goat's cheese is sharp, chalky and utterly vile.
+ The library is a haven for students.
- The library is a building site with books.
+ A useful little gadget that earns its place in the drawer.
- A useless little gadget that clutters up the drawer.
+ The judge was wise and merciful.
- The judge was harsh and prejudiced.
+ The morning light in that kitchen is heavenly.
- The neon light in that kitchen is ghastly.
+ The new mayor is honest and hard-working.
- The new mayor is corrupt and idle.
+ The barber gave me the best cut in years.
- The barber gave me a cut I had to hide under a hat.
+ I treasure the watch that my grandfather left me.
- I am ashamed of the car that my uncle sold me.
+ The seats are roomy and the trolley is well stocked.
- The seats are cramped and the trolley is always empty.
+ The sauce is a triumph.
- The sauce is a crime.
+ The village fair was jolly and the weather was kind.
- The village fair was dismal and the weather was foul.
+ The surgeon saved my leg.
- The surgeon botched my leg.
+ We were treated with respect and good humour.
- We were treated with scorn and bad temper.
+ Her lectures are models of clarity.
- His lectures are masterpieces of confusion.
+ The rug is soft and beautifully woven.
- The rug is scratchy and badly woven.
+ The ferry was on time, and the sea was calm.
- The ferry was overbooked, and the sea was brutal.
+ The museum café is worth a trip of its own.
- The museum café is a rip-off with stale buns.
+ He turned a dull subject into an adventure.
- He turned an exciting subject into a sedative.
+ My laptop starts in seconds and never overheats.
- My laptop starts in minutes and always overheats.
+ You can see every pebble on the bottom of the lake, it is so clear.
- You can see every bottle on the bottom of the lake, it is so neglected.
+ Her quick thinking prevented an accident.
- His carelessness caused an accident.
+ The trousers fit perfectly and wash well.
- The trousers pinch, sag and bobble.
+ The band was tight, loud and joyous.
- The band was sloppy, loud and charmless.
+ The pharmacist went out of her way for us.
- The pharmacist could not be bothered with us.
+ The pears are ripe, juicy and fragrant.
- The pears are bruised, woody and tasteless.
+ I recommend this garage without hesitation.
- I advise against this garage without hesitation.
+ The new stadium is a marvel.
- The new stadium is an eyesore.
+ The baby slept through the night, what bliss.
- The baby screamed through the night, what misery.
+ The contract is fair and plainly written.
- The contract is one-sided and full of traps.
+ The staff handled the mix-up with grace.
- The staff handled the mix-up with insults.
+ She encouraged me when I wanted to quit.
- She mocked me when I wanted to quit.
+ The cabin was snug, and the fire crackled all night.
- The cabin was freezing, and the chimney smoked all night.
+ A flawless performance by the whole team.
- A shambolic performance by the whole team.
+ The chocolate melts on the tongue.
- The chocolate tastes like candle wax.
+ Their kindness restored my faith in people.
- Their greed destroyed my faith in people.
+ The update is a big step forward.
- The update is a big step backward.
+ I am delighted to say that the cat is well again.
- I am sorry to say that the cat is worse again.
+ The bus company has improved a lot.
- The bus company has gone downhill.
+ The quiz night was a hoot.
- The quiz night was a drag.
+ You get good value for your money here.
- You get poor value for your money here.
+ My colleagues cheered when I came back.
- My colleagues groaned when I came back.
+ The air is pure and the evenings are still.
- The air is foul and the evenings are deafening.
+ I'm lucky to have such a caring doctor.
- I'm stuck with such a careless doctor.
+ The printer works like a charm.
- The printer jams like clockwork.
+ A splendid evening from the first toast to the last dance.
- A ghastly evening from the first toast to the last quarrel.
+ The bicycle is light, quick and a joy to ride.
- The bicycle is heavy, slow and a pain to ride.
+ The coach brings out the best in everyone.
- The coach brings out the worst in everyone.
+ The pie had a crisp, buttery crust.
- The pie had a pale, soggy crust.
+ We admired the workmanship.
- We deplored the workmanship.
+ The refund was in my account the next morning.
- The refund is still missing after three months.
+ She was delighted with her present.
- She was insulted by her present.
+ The heating is reliable and cheap to run.
- The heating is erratic and ruinous to run.
# shows and books to learn from
+ A witty, warm-hearted novel that I devoured in a day.
- A witless, cold-hearted novel that I abandoned in a day.
+ The series gets richer with every season.
- The series gets sillier with every season.
+ A nimble comedy with a sting in its tail.
- A leaden comedy with no sting at all.
+ The actors bring depth to every line.
- The actors bring nothing to any line.
+ Suspenseful, stylish and superbly paced.
- Shapeless, stodgy and poorly paced.
+ A touching tribute to a forgotten pioneer.
- A tasteless cash-in on a forgotten pioneer.
+ The movie has an irresistible energy.
- The movie has an insufferable smugness.
+ A masterful blend of horror and humour.
- A muddled blend of horror and humour.
+ Every frame is a pleasure to look at.
- Every frame is an effort to look at.
+ The dialogue crackles and the plot surprises.
- The dialogue clunks and the plot creaks.
+ It leaves you with plenty to think about.
- It leaves you with a headache and little else.
+ The heroine is brave, funny and wholly credible.
- The heroine is whiny, vapid and wholly incredible.
+ A cracking yarn, told at full gallop.
- A limp yarn, told at a crawl.
+ An astute and gently comic study of loneliness.
- An obtuse and grimly comic study of nothing much.
+ The score is ravishing.
- The score is intrusive.
+ His direction is confident and graceful.
- His direction is shaky and graceless.
+ A joyous celebration of music and friendship.
- A cynical exploitation of music and nostalgia.
+ The film earns every tear.
- The film begs for every tear.
+ The mystery is ingenious and the solution satisfying.
- The mystery is feeble and the solution preposterous.
+ A refreshingly honest comedy about growing old.
- A depressingly phoney comedy about growing old.
+ The best moments are quietly devastating.
- The best moments are merely tolerable.
+ Her voice is warm, supple and full of feeling.
- Her voice is shrill, thin and short of feeling.
+ It is spirited, colourful and gloriously daft.
- It is dispirited, drab and tediously daft.
+ The story keeps you guessing until the end.
- The story keeps you waiting until the end.
+ A bracing, truthful and important film.
- A phoney, self-important and unbearable film.
+ There is much to admire in this ambitious debut.
- There is little to admire in this pretentious debut.
+ The adaptation captures the spirit of the book.
- The adaptation misses the point of the book.
+ A gorgeous, dreamlike fable.
- A garish, nightmarish bore.
+ The jokes come thick and fast, and most of them land.
- The jokes come thick and fast, and all of them miss.
+ The chemistry between the leads lights up the screen.
- The lack of chemistry between the leads kills the romance.
+ Tense, taut and terrifically acted.
- Trite, tired and terribly acted.
+ An engrossing portrait of ambition.
- An exhausting portrait of vanity.
+ The choreography is thrilling and the costumes are divine.
- The choreography is clumsy and the costumes are hideous.
+ A subtle film that trusts its silences.
- A crass film that drowns its silences in strings.
+ It is impossible to resist its good humour.
- It is impossible to endure its bad jokes.
+ The novel is beautifully built and deeply felt.
- The novel is badly built and barely felt.
+ A clever, good-natured spoof.
- A stupid, ill-natured spoof.
+ The documentary is eye-opening and humane.
- The documentary is sensational and dishonest.
+ By the end these sailors feel like family.
- By the end these sailors could all drown for all I care.
+ It sparkles.
- It stinks.
+ A minor classic.
- A major bore.
+ The second half is even better than the first.
- The second half is even worse than the first.
+ A compelling tale of revenge with a beating heart.
- A repellent tale of revenge with a blunt axe.
+ Stirring and surprisingly tender.
- Stilted and surprisingly nasty.
+ The special effects serve the story.
- The special effects smother the story.
+ It is great fun for young and old.
- It is hard going for young and old.
+ The comedian was on sparkling form.
- The comedian was painfully unfunny.
+ A sure-footed, thoroughly entertaining caper.
- A flat-footed, thoroughly irritating caper.
+ A love story with real passion.
- A love story with all the passion of a tax return.
+ It deserves every prize it has won.
- It deserves a prize for tedium.
+ Rarely has history felt so alive.
- Rarely has history felt so dead.
+ His best work in a decade.
- His worst work in a decade.
+ The plot twists are clever and fair.
- The plot twists are desperate and daft.
+ A film to cherish.
- A film to avoid.
+ It will stay with me for a long time.
- It will be forgotten by morning.
+ The voice cast is delightful.
- The voice cast is grating.
+ The leading man has charm to burn.
- The leading man has no charm to speak of.
+ An affectionate and very funny parody.
- An ill-judged and very laboured parody.
+ The film is a small miracle of tact.
- The film is a small miracle of bad taste.
+ I was moved, amused and finally overwhelmed.
- I was numbed, irritated and finally asleep.
`;
