/**
 * More sentences that were written for this project, by topic: `+` praises, `-` complains, two and two.  Licence: MIT,
 * as the project.
 */
export const TOPICS = `
# films, as a critic writes
+ A warm and engaging comedy that never talks down to the people it is about.
- A cold and formulaic comedy that talks down to everyone in it.
+ The screenplay is intelligent, the pace is assured, and the last shot is unforgettable.
- The screenplay is inept, the pace is sluggish, and the last shot comes far too late.
+ Riveting from first to last, with a lead performance of real power.
- Tedious from first to last, with a lead performance of no conviction.
+ What could have been a gimmick becomes a poignant study of two lonely people.
- What could have been a study of two lonely people becomes a gimmick.
+ It is a heartfelt and unpretentious movie, and it sneaks up on you.
- It is a hollow and pretentious movie, and it wears you down.
+ The humour is dry, the sadness is real, and the balance is perfect.
- The humour is lame, the sadness is fake, and there is no balance at all.
+ Hilarious, generous and a little bit wicked.
- Unfunny, stingy and a little bit desperate.
+ An absorbing drama in which even the silences are eloquent.
- A plodding drama in which even the shouting is dull.
+ The young director has made a confident and imaginative first feature.
- The young director has made a clumsy and derivative first feature.
+ A mesmerizing portrait of an artist who could not stop working.
- A superficial portrait of an artist who deserved better.
+ The film is as wise about marriage as it is entertaining about money.
- The film knows nothing about marriage and is tiresome about money.
+ It keeps its secrets well, and when they come out they are worth the wait.
- It keeps its secrets for two hours, and when they come out they are preposterous.
+ Few sequels are this fresh, and fewer still are this much fun.
- Few sequels are this stale, and fewer still are this much work.
+ The action is thrilling because you can tell who is where and what they stand to lose.
- The action is numbing because you can never tell who is where or why they are fighting.
+ A gem of a picture, small, polished and bright.
- A dud of a picture, long, murky and flat.
+ Sly, sexy and thoroughly enjoyable.
- Smug, sour and thoroughly disposable.
+ It takes an old formula and gives it new life.
- It takes an old formula and squeezes the last life out of it.
+ The cast is uniformly terrific, and the writing gives them plenty to do.
- The cast is uniformly stranded, and the writing gives them nothing to do.
+ By turns funny, frightening and deeply sad, this is a remarkable film.
- By turns silly, sappy and deeply dull, this is a forgettable film.
+ You leave the cinema feeling lighter than when you went in.
- You leave the cinema feeling as if you had been scolded.
+ There is a quiet intensity to her acting that holds the whole movie together.
- There is a blankness to her acting that sinks the whole movie.
+ Visually gorgeous, and for once the story is as rich as the pictures.
- Visually gorgeous, and for all that the story is as thin as paper.
+ A lively and literate adaptation of a difficult book.
- A lifeless and literal adaptation of a wonderful book.
+ Its charms are modest but genuine.
- Its charms are few and soon exhausted.
+ The suspense builds so gradually that you hardly notice you have stopped breathing.
- The suspense leaks away so quickly that you hardly notice when the killer is caught.
+ An exhilarating ride, made with obvious love.
- A wearisome ride, made with obvious indifference.
+ The kind of movie that makes you want to call an old friend.
- The kind of movie that makes you want to check your messages.
+ Refreshingly free of clichés, it lets its characters surprise us.
- Riddled with clichés, it never once lets its characters surprise us.
+ Compelling as history and compelling as drama.
- Dubious as history and feeble as drama.
+ The jokes land, the songs soar, and the dog survives.
- The jokes misfire, the songs drone, and the dog is the only one with any dignity.
+ A beguiling fable with a sting in its tail.
- A muddled fable with no point in sight.
+ She brings wit and vulnerability to what might have been a stock part.
- She brings one expression to what was already a stock part.
+ The result is a thoughtful, humane and often very funny film.
- The result is a trite, manipulative and often very irritating film.
+ An elegant puzzle that plays fair and pays off.
- An overcomplicated puzzle that cheats and doesn't pay off.
+ It is moving precisely because it refuses to beg for tears.
- It is annoying precisely because it never stops begging for tears.
+ Sweet without being sugary.
- So sugary that my teeth hurt.
+ Magnificent to look at, and just as good to think about afterwards.
- Handsome to look at, and impossible to care about.
+ The dialogue sparkles, and the actors throw it around with evident pleasure.
- The dialogue clunks, and the actors deliver it with evident embarrassment.
+ A sharp little satire that hits nearly everything it aims at.
- A blunt little satire that misses nearly everything it aims at.
+ It dares to be simple, and its simplicity is beautiful.
- It strains to be complicated, and its complications are pointless.
+ A haunting film that asks hard questions and respects our answers.
- A heavy-handed film that asks easy questions and answers them twice.
+ One of those rare family films that adults will enjoy without a child as an excuse.
- One of those all too common family films that even children will sit through with a sigh.
+ The documentary is lucid, fair and quietly devastating.
- The documentary is shapeless, one-sided and surprisingly dull.
+ The chemistry between the leads could power a small city.
- The leads have all the chemistry of two strangers in a lift.
+ A masterful piece of storytelling.
- An amateurish piece of storytelling.
+ He turns a thin premise into ninety minutes of pure delight.
- He turns a promising premise into ninety minutes of sheer boredom.
+ This is filmmaking of great skill and greater feeling.
- This is filmmaking by committee, without skill or feeling.
+ It has energy, style and something to say.
- It has noise, gloss and nothing to say.
+ The ending is daring, and it is exactly right.
- The ending is a cop-out, and everybody can see it coming.
+ An intimate, lyrical film about the way memory works.
- A meandering, self-indulgent film about the way its maker's memory works.
+ Delightfully absurd, with a streak of melancholy that lingers.
- Tiresomely absurd, with a streak of cruelty that repels.
+ The picture's greatest strength is its patience.
- The picture's greatest weakness is its length.
+ A vivid and provocative look at a trade that nobody talks about.
- A bland and timid look at a trade that deserves real scrutiny.
+ It is rousing entertainment, plain and simple.
- It is a cynical product, plain and simple.
+ The performances are pitched just right, and the mood is irresistible.
- The performances are all over the place, and the mood is oppressive.
+ A solid thriller with brains as well as muscle.
- A brainless thriller that is all muscle.
+ The animation is ravishing, full of detail that rewards a second look.
- The animation is crude, and no detail rewards even a first look.
+ I admired its craft, and in the end I loved it for its heart.
- I respected its craft, and in the end it left me completely cold.
+ Every frame is alive.
- Every frame is dead.
+ It is uncommonly honest about grief.
- It is shamelessly phoney about grief.
+ A triumphant return for a director who had lost his way.
- Another misfire from a director who has lost his way.
+ Intense, intelligent and impossible to shake off.
- Incoherent, interminable and easy to forget.
+ The story holds together beautifully, and the twist is a real surprise.
- The story falls apart halfway, and the twist is laughable.
+ Some of the funniest scenes of the year are in this movie.
- Some of the worst scenes of the year are in this movie.
+ It flows like good conversation.
- It sounds like a lecture with costumes.
+ A tough, compassionate film about people the movies usually ignore.
- A condescending film about people the movies usually ignore.
+ The two old actors are a treat to watch together.
- The two old actors are wasted, and it is painful to watch.
+ Superbly photographed, shrewdly written and acted to perfection.
- Poorly photographed, lazily written and acted without energy.
+ It grabs you early and never lets go.
- It loses you early and never gets you back.
+ There is real wit here, and real tenderness.
- There is no wit here, and precious little tenderness.
+ The movie has a generous spirit that is hard to resist.
- The movie has a mean spirit that is hard to forgive.
+ A spellbinding mixture of myth and gossip.
- A half-baked mixture of myth and gossip.
+ It makes two and a half hours feel like one.
- It makes eighty minutes feel like three hours.
+ The best thing he has done in a decade.
- The worst thing he has done in a long career.
+ A smart, nimble caper with a terrific last act.
- A clunky, charmless caper with a last act that falls flat.
+ It finds humour in the darkest places and never at anyone's expense.
- It looks for humour in the darkest places and finds only bad taste.
+ The kids are wonderful, natural and unaffected.
- The kids are insufferable, mannered and loud.
+ A satisfying yarn, well told.
- A silly yarn, badly told.
+ The soundtrack is superb and the editing has rhythm.
- The soundtrack is intrusive and the editing has no rhythm.
+ An ambitious film that achieves nearly everything it sets out to do.
- An ambitious film that collapses under its own weight.
+ Accomplished, affecting and full of life.
- Ponderous, affected and drained of life.
+ There isn't a false note in it.
- There isn't a true note in it.
+ Nothing about it is routine.
- Everything about it is routine.
+ You will not see a better acted film this year.
- You will not see a more badly acted film this year.
+ It never stoops to easy laughs.
- It never rises above easy laughs.
+ I can't remember when I last laughed this hard.
- I can't remember when I last laughed this little at a comedy.
+ The movie doesn't waste a second.
- The movie doesn't have a second to spare for sense.
+ No one who sees it will forget it soon.
- No one who sees it will remember it tomorrow.
+ Not once does it lose its nerve.
- Not once does it find its feet.
+ It's hard to imagine anyone disliking a film this good-natured.
- It's hard to imagine anyone enjoying a film this bad-tempered.
+ Far from being a vanity project, it is a work of real humility.
- Far from being a work of humility, it is a vanity project.
+ If it isn't quite a masterpiece, it comes thrillingly close.
- If it isn't quite a disaster, it comes depressingly close.
+ Despite a slow start, it grows into something splendid.
- Despite a splendid start, it shrinks into something small and silly.
+ Though the budget was tiny, the ideas are big.
- Though the budget was huge, the ideas are tiny.
+ The plot may be familiar, but the telling is anything but.
- The setting may be new, but the telling is all too familiar.
+ It should not work, and yet it works like a dream.
- It should have worked like a dream, and yet it doesn't work at all.
+ Scene after scene rings with truth.
- Scene after scene rings hollow.
+ The comic timing is impeccable.
- The comic timing is off by a mile.
+ A bracing, original and unexpectedly joyous work.
- A dreary, secondhand and predictably joyless work.
+ Gripping, grown-up entertainment.
- Childish, numbing entertainment, if that is the word.
+ The makers clearly love their subject, and their love is catching.
- The makers clearly don't understand their subject, and it shows.
+ It's a pleasure to meet a blockbuster with a sense of humour.
- It's a chore to sit through a blockbuster with no sense of humour.
+ A performance for the ages in a film that deserves it.
- A performance for the ages in a film that doesn't deserve it.
+ Stylish and sincere, it had me from the opening titles.
- Slick and insincere, it lost me at the opening titles.
+ The premise is ingenious, and so is the execution.
- The premise is ingenious, and the execution is a shambles.
+ One of the year's most pleasant surprises.
- One of the year's bitterest disappointments.
+ I would happily watch it again tonight.
- I would pay good money never to watch it again.
+ The tension is unbearable in the best sense.
- The dialogue is unbearable in every sense.
+ It is strange, sad, and absolutely captivating.
- It is strange, sad, and absolutely exhausting.
+ There is much to savour here, from the costumes to the wry narration.
- There is little to savour here, apart from a few costumes.
+ The villain is delicious and the hero is no fool.
- The villain is a bore and the hero is a fool.
+ A tight, tense and beautifully judged piece of work.
- A slack, silly and badly judged piece of work.
+ It deepens with every minute.
- It deflates with every minute.
+ The script is full of grace notes.
- The script is full of holes.
+ A love letter to cinema that never turns sentimental.
- A love letter to its own cleverness.
+ Enough invention for three movies.
- Not enough invention for a commercial.
+ Watching it is like opening a window.
- Watching it is like being stuck in traffic.
+ Funny, frank and full of feeling.
- Flat, false and full of itself.
+ It earns every one of its tears.
- It earns none of its tears.
+ The film's heart is in the right place, and so is everything else.
- The film's heart is in the right place, and nothing else is.
# negations and turns, of everyday things
+ The hotel was not bad at all; in fact, we stayed an extra night.
- The hotel was not good at all; in fact, we left a night early.
+ It wasn't expensive, it wasn't crowded, and the view was splendid.
- It wasn't cheap, it wasn't clean, and there was no view to speak of.
+ I was never bored, not for a minute.
- I was never interested, not for a minute.
+ Nothing went wrong, which at our house counts as a triumph.
- Nothing went right, which at our house is becoming normal.
+ I can't complain about the food.
- I can't recommend the food.
+ You can't go wrong with this recipe.
- You can't get anywhere with this recipe.
+ The staff couldn't have been kinder.
- The staff couldn't have cared less.
+ I couldn't be happier with the new kitchen.
- I couldn't be more disappointed with the new kitchen.
+ It didn't hurt, and it didn't take long.
- It did hurt, and it took forever.
+ There was nothing wrong with my room, and the bed was heaven.
- There was nothing right with my room, and the bed was a torment.
+ She isn't unfriendly, only shy, and she turned out to be great company.
- She isn't shy, only unfriendly, and she turned out to be poor company.
+ I didn't regret a single penny.
- I regretted every single penny.
+ The exam was not nearly as hard as I had feared.
- The exam was not nearly as easy as they had promised.
+ I thought I would hate camping, but I loved it.
- I thought I would love camping, but I hated it.
+ We expected a disaster and got a delight.
- We expected a delight and got a disaster.
+ It looked awful in the box and wonderful on the wall.
- It looked wonderful in the box and awful on the wall.
+ My first impression was poor, and I am glad to say that I was mistaken.
- My first impression was excellent, and I am sorry to say that I was mistaken.
+ I wanted to dislike him, but he won me over within the hour.
- I wanted to like him, but he put me off within the hour.
+ The rain never came, and the party was a success.
- The guests never came, and the party was a failure.
+ Not a single crumb was left on the plates.
- Not a single plate was clean.
+ No queue, no fuss, no nonsense.
- No apology, no refund, no explanation.
+ It never breaks down, and it never complains.
- It never starts in the cold, and it never fails to embarrass me.
+ He doesn't shout, he doesn't sulk, and the team adores him.
- He doesn't listen, he doesn't explain, and the team avoids him.
+ I have no complaints whatsoever.
- I have no kind words whatsoever.
+ There is no better baker in this town.
- There is no worse baker in this town.
+ I have never slept so well in a tent.
- I have never slept so badly in a bed.
+ You won't find a more reliable bicycle for the money.
- You won't find a less reliable bicycle for the money.
+ Don't let the shabby door put you off; inside it is lovely.
- Don't let the lovely door fool you; inside it is shabby.
+ It isn't fancy, but it is clean, warm and friendly.
- It is fancy, but it isn't clean, warm or friendly.
+ It is a bit far from the station, but well worth the walk.
- It is close to the station, but not worth even that short walk.
+ The lift was out of order, but the porter carried our bags up with a smile.
- The lift was working, but the porter left our bags in the rain.
+ The service is slow, but the food makes up for it.
- The service is quick, but the food doesn't make up for anything.
+ The book is long, yet I wished it were longer.
- The book is short, yet I wished it were shorter.
+ It's no palace, but I have rarely felt so much at home.
- It's a palace, but I have rarely felt so unwelcome.
+ Even the rain couldn't spoil our day.
- Even the sunshine couldn't save our day.
+ I had low hopes, and the concert beat every one of them.
- I had high hopes, and the concert dashed every one of them.
+ They say the second visit is never as good as the first; ours was better.
- They say the second visit is never as good as the first, and ours was dreadful.
+ The problem was solved before I had finished explaining it.
- The problem was still there after I had explained it five times.
+ I was wrong about this neighbourhood, and happily so.
- I was right about this neighbourhood, and sadly so.
+ Without her help we would never have managed.
- With her help we managed even less than before.
+ Hardly anything about this car annoys me.
- Hardly anything about this car pleases me.
+ I seldom enjoy weddings, but this one was a joy.
- I usually enjoy weddings, but this one was a bore.
+ It's rare that a product does what it says, and this one does.
- It's rare that a product does so little of what it says.
+ He could have blamed us, and he thanked us instead.
- He could have thanked us, and he blamed us instead.
+ They didn't have to help, but they did, and gladly.
- They only had to help a little, but they didn't.
+ If every dentist were this gentle, nobody would be afraid.
- If every dentist were this rough, nobody would go.
+ I wish we had found this place years ago.
- I wish we had never found this place.
+ I wish all my teachers had been like her.
- I wish she had chosen another profession.
+ What's not to like?
- What's there to like?
+ Who wouldn't want a neighbour like that?
- Who would want a neighbour like that?
+ How could anybody dislike this garden?
- How could anybody enjoy this garden?
+ Why did nobody tell me sooner how good this is?
- Why did nobody warn me how bad this is?
+ Could I have asked for a better birthday?
- Could they have picked a worse day for it?
+ We will certainly be back.
- We will certainly not be back.
+ I'd buy it again tomorrow.
- I wouldn't take it again as a gift.
+ I would recommend her to anyone.
- I wouldn't recommend her to anyone.
+ They deserve every bit of their success.
- They don't deserve a bit of their success.
+ It does everything I need and nothing that I don't.
- It does nothing that I need and everything that I don't.
+ You get more than you pay for.
- You get less than you pay for.
+ The lecture was anything but dull.
- The lecture was anything but clear.
+ It was far from boring.
- It was far from interesting.
+ It's nothing short of brilliant.
- It's little short of a scandal.
+ The noise I had been warned about never bothered me.
- The quiet I had been promised never came.
+ There isn't one dull page in it.
- There isn't one good page in it.
+ None of my fears came true.
- None of their promises came true.
+ Neither the cold nor the wind could dampen our spirits.
- Neither the wine nor the music could lift our spirits.
+ The trip wasn't what we had planned; it was better.
- The trip wasn't what we had planned; it was much worse.
+ He is not a talker, but he is the most dependable man I know.
- He is a talker, but he is the least dependable man I know.
+ The machine isn't pretty, but it has never let us down.
- The machine is pretty, but it has let us down again and again.
+ It took a while to get used to, and now I wouldn't be without it.
- It took a while to get used to, and now I wouldn't miss it.
+ I doubted it would fit, and it fits perfectly.
- I was sure it would fit, and it doesn't.
+ I'm not easily impressed, but I was impressed.
- I'm easily impressed, but I wasn't impressed.
+ It's not often that a meal moves me.
- It's not often that a meal makes me ill.
+ I didn't think a vacuum cleaner could make me happy, but here we are.
- I didn't think a vacuum cleaner could make me cry, but here we are.
+ The instructions were unnecessary, because everything explained itself.
- The instructions were useless, because they explained nothing.
+ I haven't laughed like that in months.
- I haven't laughed in that house in months.
+ My worries turned out to be groundless.
- My worries turned out to be justified.
+ Not everyone will agree, but I thought it was superb.
- Not everyone will agree, but I thought it was rubbish.
+ The critics were unfair to it; it's a lovely little show.
- The critics were kind to it; it's a wretched little show.
+ What a relief: no leaks, no squeaks, no regrets.
- What a letdown: leaks, squeaks and regrets.
+ It stopped raining just as we arrived, and the whole day was golden.
- It started raining just as we arrived, and the whole day was grey.
+ I came in with a headache and left with a smile.
- I came in with a smile and left with a headache.
+ The children didn't want to leave.
- The children didn't want to stay.
+ The puppy hasn't chewed a single shoe.
- The puppy hasn't spared a single shoe.
+ This is not the cheapest umbrella, but it's the only one that survived the winter.
- This is not the cheapest umbrella, but it's the first one that fell apart.
+ Less sugar, more flavour: a clear improvement.
- Less flavour, more sugar: no improvement.
+ I used to dread Mondays, and now I look forward to them.
- I used to look forward to Mondays, and now I dread them.
+ It's better than it used to be.
- It's not as good as it used to be.
+ I've had worse seats at three times the price.
- I've had better seats at a third of the price.
+ It has its faults, but I forgive them all.
- It has its merits, but I can't forgive the rest.
+ They apologised, replaced it at once and even added a gift.
- They never apologised, never replaced it and even charged for postage.
+ It's not perfect; it's merely the best we have ever had.
- It's not terrible; it's merely the dullest evening we have ever had.
+ The wait was short and the result was worth it.
- The wait was long and the result wasn't worth it.
+ There was no need to worry, as it turned out.
- There was every reason to worry, as it turned out.
+ I can't praise her patience enough.
- I can't forgive her impatience.
+ The film isn't sad at all, and I left humming.
- The film isn't funny at all, and I left yawning.
+ The soup isn't too salty, just the way I like it.
- The soup isn't hot, and it has no taste.
+ Nobody left early.
- Nobody stayed to the end.
+ The jokes never get old.
- The jokes never get going.
+ He never disappoints.
- He never fails to disappoint.
+ It was hard to find fault with anything.
- It was hard to find anything to praise.
+ She refused to give up, and we are all grateful for it.
- She refused to say sorry, and we are all tired of it.
+ I would not change a thing.
- I would change almost everything.
+ The picture doesn't drag for a moment.
- The picture doesn't come alive for a moment.
+ The stairs are steep, but the room at the top is a dream.
- The stairs are grand, but the room at the top is a cupboard.
+ I was sceptical, and now I'm a convert.
- I was a believer, and now I'm a sceptic.
+ It didn't let me down once in ten years.
- It let me down twice in ten days.
+ It's not that hard, and it's a lot of fun.
- It's not that hard, it's just no fun.
+ The medicine had no side effects, and I felt better by evening.
- The medicine had no effect, and I felt worse by evening.
+ The room had no television, and we didn't miss it.
- The room had no window, and we could hardly breathe.
+ They never once made us feel like tourists.
- They never once made us feel welcome.
+ For a first attempt it's amazingly good.
- For a tenth attempt it's amazingly bad.
+ I don't say this lightly: it was the best meal of my life.
- I don't say this lightly: it was the worst meal of my life.
+ It's hard not to smile when she plays.
- It's hard not to wince when she plays.
# online shopping and deliveries
+ Ordered on Monday, here on Tuesday, and packed as if it were glass.
- Ordered on Monday, still not here three weeks later, and nobody answers.
+ The parcel came a day early, and the driver carried it up to the fourth floor.
- The parcel was left in the rain, and the box had turned to mush.
+ The colours are even nicer than in the photographs.
- The colours have nothing to do with the photographs.
+ They exchanged the wrong size without a question and paid the postage.
- They refused to exchange the wrong size and kept my money.
+ The fabric feels thick and soft, and the seams are straight.
- The fabric feels like paper, and the seams came undone in the first wash.
+ Exactly as described, and cheaper than anywhere else.
- Nothing like the description, and dearer than anywhere else.
+ A handwritten note from the seller made my day.
- A rude note from the seller ruined my day.
+ The replacement part arrived within two days and fitted at once.
- The replacement part arrived after two months and didn't fit.
+ Returning it took one click and the refund came the next morning.
- Returning it took nine emails and the refund never came.
+ The shop's website is clear, quick and honest about what is in stock.
- The shop's website crashes, and half of what it offers has been sold out for months.
+ I was delighted to find the missing screw taped to the lid with an apology.
- Two screws were missing, one leg was shorter than the others, and the lid was cracked.
+ For this price I expected little, and I got a sturdy, handsome lamp.
- For this price I expected a lot, and I got a wobbly, ugly lamp.
+ The sender tracked down my lost parcel and called me to say so.
- The sender said my lost parcel was my own problem.
+ Good value, good quality, good people.
- Bad value, bad quality, bad manners.
+ The mug survived the journey and three years of daily coffee.
- The mug arrived in four pieces, wrapped in a single sheet of newspaper.
+ I compared five blankets, and this is by far the cosiest.
- I compared five blankets, and this is by far the scratchiest.
+ Their customer service solved it in one friendly call.
- Their customer service is a recorded voice that leads nowhere.
+ The bag is roomy, light and still looks new after a year on trains.
- The strap tore in the first week, right in front of the bus.
+ A brilliant little gadget that peels garlic in seconds.
- A useless little gadget that takes longer to clean than to use.
+ I bought a second one for my sister because mine is so useful.
- I gave it to my sister because I couldn't stand to look at it.
+ The shoes were comfortable straight out of the box.
- The shoes gave me blisters before I reached the corner.
+ It smells faintly of lavender and nothing else.
- It smells strongly of petrol, even after a month on the balcony.
+ Delivery was free and on time to the minute.
- Delivery cost more than the book and was a week late.
+ The reviews were right: it is excellent.
- The reviews must have been bought: it is rubbish.
# software and phones
+ The update made my old phone feel quick again.
- The update made my old phone so slow that I had to replace it.
+ It found every photograph I thought I had lost.
- It lost every photograph I thought I had saved.
+ Setting it up took two minutes, and I am no expert.
- Setting it up took two evenings, and I am an expert.
+ The battery lasts the whole weekend.
- The battery is flat again by noon.
+ No advertisements, no accounts, no tricks: just a good calculator.
- Advertisements, accounts, tricks: all that for a calculator.
+ The new keyboard is a pleasure to type on.
- The new keyboard repeats letters and drops others.
+ I have used this editor for ten years, and it has never lost a line of mine.
- I used this editor for ten minutes, and it lost everything I had written.
+ The map works without a connection and saved us in the mountains.
- The map sent us down a flight of steps in a rented car.
+ The screen is bright, the speakers are clear, and it doesn't get warm.
- The screen flickers, the speakers buzz, and it gets hot enough to fry an egg.
+ Support answered on a Sunday night and fixed it while we talked.
- Support closed my question without answering it.
+ My grandmother learned to use it in an afternoon and now calls us every day.
- My grandmother gave up in tears, and I don't blame her.
+ A clean design in which everything is where you look for it.
- A cluttered design in which nothing is where you look for it.
+ It syncs quietly and never gets in my way.
- It nags me to sync, then deletes the newer file.
+ The free version is generous, and the paid one is worth it.
- The free version does nothing, and the paid one does little more.
+ I love how fast the search is.
- I hate how slow the search is.
+ They listened to complaints and brought the old menu back.
- They ignored all complaints and removed the old menu.
+ The camera takes lovely pictures even at dusk.
- The camera takes blurred pictures even at noon.
+ A thoughtful little app that helps me to remember birthdays.
- A greedy little app that wants my contacts, my location and my money.
+ It crashed once in five years, and nothing was lost.
- It crashes five times a day, and something is always lost.
+ The documentation is clear, complete and full of examples.
- The documentation is out of date, incomplete and full of mistakes.
+ The voice recognition understands even my accent.
- The voice recognition doesn't understand a word I say.
+ A joy to use, and easy on the eyes.
- A pain to use, and hard on the eyes.
# doctors, dentists, hospitals
+ The nurse explained everything twice and held my hand.
- The nurse sighed at my questions and left the room.
+ The doctor took me seriously from the first minute.
- The doctor told me it was all in my head without looking up.
+ I was seen on time, treated gently and home before dark.
- I sat in the corridor for six hours and was sent home without an answer.
+ The wound healed without a scar, and I am thankful.
- The wound became infected, and nobody admitted the mistake.
+ My dentist tells terrible jokes, and I have never felt any pain in her chair.
- My dentist tells terrible jokes, and he drilled the wrong tooth.
+ The night staff were cheerful, careful and never in a hurry.
- The night staff were careless, cross and never to be found.
+ Since the operation I can walk without a stick, which is wonderful.
- Since the operation I can't walk without a stick, which is a bitter blow.
+ The new clinic is bright and calm, and children get a bear to hold.
- The new clinic is gloomy and chaotic, and children scream in the hall.
+ They called the next day to ask how I was.
- They never called with the results.
+ The therapist listens well and asks exactly the right questions.
- The therapist looks at the clock and forgets my name.
+ Thanks to that ointment the itching stopped overnight.
- That ointment made the itching twice as bad overnight.
+ The pharmacist noticed the mistake and probably saved me a nasty week.
- The pharmacist gave me the wrong box and cost me a nasty week.
+ I feared the worst, and the news was good.
- I hoped for the best, and the news was bad.
+ The food on the ward was surprisingly tasty.
- The food on the ward was grey and cold.
+ My back has not hurt since the third session.
- My back has hurt more with every session.
+ The receptionist found me an appointment the same day.
- The receptionist hung up on me twice the same day.
# trains, buses and roads
+ The night train rocked me to sleep, and I woke up by the sea.
- The night train was freezing, and a drunk sang until dawn.
+ The conductor waited for the old man with the suitcase, and everybody clapped.
- The driver saw me running and closed the doors.
+ We were an hour early thanks to a clear road and a kind stranger.
- We missed the ferry thanks to roadworks that no sign announced.
+ The new tram is quiet, frequent and spotless.
- The new tram is packed, rare and filthy.
+ My seat reclined, my coffee was hot, and the hills rolled by.
- My seat was broken, my coffee was spilled on me, and the window was painted over.
+ The bus driver greets every passenger and knows the regulars by name.
- The bus driver swears at cyclists and brakes so hard that people fall.
+ The airline moved us to better seats at no charge.
- The airline sold our seats to somebody else.
+ Passport control took five minutes and a smile.
- Passport control took three hours and a shouting match.
+ A smooth flight, a soft landing and no lost bags.
- A bumpy flight, a hard landing and two lost bags.
+ I like this line because the trains are punctual.
- I avoid this line because the trains never run on time.
+ The car park was free and right beside the beach.
- The car park cost a fortune and was miles from the beach.
+ Our guide drove carefully and stopped whenever we saw something pretty.
- Our guide drove like a maniac and stopped only at his cousin's shop.
+ The lost property office had my hat, my scarf and a good joke.
- The lost property office had closed for good.
+ Cycling to work has become the best part of my day.
- Cycling to work has become a daily danger.
+ The bridge opened at last, and the journey is half as long.
- The bridge is closed again, and the journey is twice as long.
+ A comfortable coach with clean toilets and a thoughtful driver.
- A cramped coach with blocked toilets and a reckless driver.
# teachers and courses
+ She makes grammar exciting, which I had thought impossible.
- She makes even poetry dull, which I had thought impossible.
+ The exercises build on each other, and suddenly you understand.
- The exercises jump about, and in the end you understand nothing.
+ He stayed after class until the last of us had got it.
- He left before the bell while half of us were still lost.
+ The feedback on my essay was detailed and encouraging.
- The feedback on my essay was one word, and it was an insult.
+ I learned more in that one week than in the whole of the year before.
- I learned less in that whole year than in a week on my own.
+ Small groups, good books, and teachers who love what they do.
- Huge groups, old books, and teachers who hate what they do.
+ The professor admits it when she doesn't know something, and we respect her for it.
- The professor bluffs when he doesn't know something, and we have stopped asking.
+ The exam was fair and covered what we had been taught.
- The exam was unfair and covered nothing that we had been taught.
+ My daughter skips to school in the morning.
- My daughter cries on the way to school in the morning.
+ The school has a library that smells of wood and is always full.
- The school has a library that is always locked.
+ The online course is well paced, and the videos are short and clear.
- The online course is padded, and the videos are long and mumbled.
+ A superb introduction that assumes nothing and skips nothing.
- A hopeless introduction that assumes everything and skips the rest.
+ Our piano teacher has endless patience with small, clumsy fingers.
- Our piano teacher has no patience with small, clumsy fingers.
+ The headmaster knows all four hundred children by name.
- The headmaster has not been seen since September.
+ He failed me, and then he took the time to show me why; I am grateful.
- He failed me, and he couldn't even be bothered to say why.
+ The field trip was the highlight of the term.
- The field trip was a washout, and two of us got lost.
# neighbours, family and friends
+ My brother drove through the night to be with us.
- My brother couldn't be bothered to cross the street for us.
+ Our new neighbours brought soup and asked for nothing.
- Our new neighbours play drums at midnight and laugh at complaints.
+ She remembers what you told her a year ago and asks how it went.
- She forgets what you told her a minute ago and talks about herself.
+ He is generous with his time and shy about his talent.
- He is stingy with his time and vain about a talent he doesn't have.
+ My aunt is the funniest person I know, and the kindest.
- My aunt is the most spiteful person I know, and the loudest.
+ We quarrelled, we apologised, and we are closer than ever.
- We quarrelled, he sulked, and we haven't spoken since.
+ The whole street turned up to help us move.
- Nobody turned up to help us move, not even those who had promised.
+ He kept my secret for twenty years.
- He told my secret before the week was out.
+ My mother-in-law and I get along splendidly.
- My mother-in-law and I can't stand each other.
+ She has a gift for making strangers comfortable.
- She has a gift for making friends uncomfortable.
+ They are honest, hardworking people, and I trust them with my keys.
- They are dishonest, lazy people, and I wouldn't trust them with a spoon.
+ Our reunion was full of laughter and good stories.
- Our reunion was full of old grudges and bad wine.
+ The old man next door has taught my son to fish, to whistle and to be polite.
- The old man next door shouts at my son, at the dog and at the mail carrier.
+ He called every single day while I was ill.
- He didn't call once while I was ill.
+ I admire how calmly she deals with trouble.
- I dread how she makes trouble out of nothing.
+ My roommate is tidy, considerate and makes great pancakes.
- My roommate is filthy, selfish and eats my pancakes.
+ Grandfather's stories get better every time he tells them.
- My uncle's stories get longer and meaner every time he tells them.
+ We felt loved and looked after from the moment we arrived.
- We felt unwanted and in the way from the moment we arrived.
+ She paid me back to the last cent, with flowers.
- She never paid me back, and now she avoids me.
+ What a charming, modest and gifted young woman.
- What an arrogant, boastful and tactless young man.
# offices, banks and other counters
+ The clerk found a form that saved us two months of waiting.
- The clerk lost our form and told us to begin again.
+ My bank noticed the fraud before I did and stopped it.
- My bank let the fraud go on for weeks and then blamed me.
+ For once the town hall was quick, polite and helpful.
- As always the town hall was slow, rude and useless.
+ The insurance paid without a fuss.
- The insurance found an excuse not to pay.
+ The new landlord repaired the roof in a week.
- The new landlord raised the rent in a week and left the roof as it was.
+ The lawyer explained our rights in plain words and charged less than she had said.
- The lawyer hid behind long words and charged twice what he had said.
+ I expected to wait all morning and was out in ten minutes.
- I expected to wait ten minutes and was there all morning.
+ Their hotline is answered by people who know what they are talking about.
- Their hotline plays the same cheerful tune for an hour and then cuts you off.
+ The tax office corrected its own mistake and wrote a kind letter.
- The tax office made the mistake and fined me for it.
+ The council saved the old library, and the town is proud of it.
- The council sold the old library, and the town is ashamed of it.
+ My passport came within the week, with my name spelled right.
- My passport came after the holiday, with my name spelled wrong.
+ Everything about the move went smoothly thanks to that firm.
- Everything that could be broken was broken by that firm.
+ She treated me like a person and not like a number.
- He treated me like a number, and the wrong one at that.
+ I opened the letter with dread and closed it with relief.
- I opened the letter with hope and closed it in despair.
# jobs and colleagues
+ I have a boss who says thank you and means it.
- I have a boss who says thank you and means goodbye.
+ The work is demanding, and I go home proud of it.
- The work is pointless, and I go home drained by it.
+ The team shares its knowledge and its chocolate.
- The team guards its knowledge and steals your chocolate.
+ They promoted the right person for once.
- They promoted the loudest person, as usual.
+ I was nervous on my first day, but everybody was welcoming.
- I was excited on my first day, but nobody even knew I was coming.
+ Flexible hours, fair pay and interesting problems.
- Endless hours, poor pay and the same boring problems.
+ The meeting was short, useful and even cheerful.
- The meeting was long, useless and bitter.
+ My colleagues threw me a party that I'll treasure.
- My colleagues forgot my last day altogether.
+ He gives clear orders and takes the blame when things go wrong.
- He gives contradictory orders and finds somebody to blame when things go wrong.
+ The company treats its cleaners as well as its directors.
- The company treats its cleaners like dirt and its directors like kings.
+ It is the best decision I ever made to work here.
- It is the worst mistake I ever made to work here.
+ The apprentices learn quickly and are encouraged to ask.
- The apprentices sweep floors and are mocked when they ask.
+ The canteen is cheap, and the cook is a genius.
- The canteen is expensive, and the cook is a menace.
+ I slept soundly, because the project was in good hands.
- I slept badly, because the project was falling to pieces.
# sport and fitness
+ A thrilling match that was decided in the last second.
- A dreary match without a single shot worth the name.
+ The goalkeeper was magnificent and saved two penalties.
- The goalkeeper was hopeless and let the easiest ball through his legs.
+ We lost, but we played with heart, and the crowd sang to the end.
- We won, but we played miserably, and even our own crowd jeered.
+ My trainer is strict, funny and full of good advice.
- My trainer is lazy, rude and always on the phone.
+ The pool is clean and warm, and early in the morning you have it to yourself.
- The pool is murky and cold, and the showers don't work.
+ Running has cured my headaches and cleared my mind.
- Running has ruined my knees and my weekends.
+ The gym is friendly to beginners and never smells.
- The gym is hostile to beginners and always stinks.
+ She skated as if gravity did not concern her.
- She fell on every jump, and it was painful to see.
+ The referee kept his head and the game stayed fair.
- The referee lost control and the game turned ugly.
+ It was the finest goal I have ever seen.
- It was the clumsiest own goal I have ever seen.
+ Our little club won the cup, and the whole valley danced.
- Our little club went bankrupt, and the whole valley mourned.
+ The yoga class leaves me calm and two inches taller.
- The yoga class leaves me sore and in a foul mood.
+ The new stadium has a great atmosphere and good sausages.
- The new stadium has no atmosphere and terrible sausages.
+ He is a graceful winner and an even more graceful loser.
- He is a boastful winner and a dreadful loser.
# music and stage
+ The quartet played with fire and tenderness, and nobody coughed.
- The quartet played without fire or tenderness, and people began to cough.
+ Her voice is as clear as water and twice as refreshing.
- Her voice is thin and sharp and gave me a headache.
+ The album is playful, tuneful and over too soon.
- The album is humourless, tuneless and endless.
+ A magical evening in the opera, and I usually fall asleep there.
- A tedious evening in the opera, and I usually adore it.
+ The drummer is a marvel.
- The drummer is a menace.
+ They played all the old songs as if for the first time.
- They mumbled through the old songs as if for the thousandth time.
+ The musical is silly, tuneful and completely winning.
- The musical is silly, tuneless and completely charmless.
+ The comedian had us weeping with laughter.
- The comedian had us looking for the exit.
+ The lyrics are witty, and the melodies stay with you.
- The lyrics are lazy, and the melodies all sound alike.
+ The acoustics are superb even in the cheapest seats.
- The acoustics are dreadful even in the dearest seats.
+ The choir gave me goose bumps.
- The choir gave me a stomach ache.
+ The play is a hundred years old and feels brand new.
- The play is brand new and feels a hundred years old.
+ An inspired staging that makes sense of a difficult text.
- A perverse staging that makes nonsense of a simple text.
+ The ballet was enchanting, and my son now wants to dance.
- The ballet was interminable, and my son now wants his money back.
+ The encore alone was worth the trip.
- The encore was an insult after such a short programme.
+ He plays the cello the way other people breathe.
- He plays the cello the way other people saw wood.
# books
+ I finished it at four in the morning and don't regret the lost sleep.
- I gave it three tries and never got past the second chapter.
+ The prose is clear as glass, and the story is heartbreaking in the gentlest way.
- The prose is thick as mud, and the story is too thin to bear it.
+ A wise and funny novel about getting old.
- A dull and whining novel about getting old.
+ The heroine is prickly, brave and impossible not to love.
- The heroine is spoiled, passive and impossible to care for.
+ It made me laugh on the bus, and people stared.
- It made me groan on the bus, and people stared.
+ A thorough, readable history that kills a dozen myths.
- A careless, unreadable history that repeats a dozen myths.
+ The translation is so good that you forget it is one.
- The translation is so bad that you can guess the original.
+ My book club agreed for the first time: superb.
- My book club agreed for the first time: awful.
+ The recipes work, the photographs are honest, and the jokes are good.
- The recipes don't work, the photographs lie, and the jokes are embarrassing.
+ Each of these stories is a small miracle.
- Each of these stories is a small disappointment.
+ The clues are fair, and I still didn't guess the murderer.
- The clues are missing, and I still guessed the murderer on page ten.
+ An inspiring memoir without a trace of self-pity.
- A tiresome memoir full of self-pity.
+ The children asked for it again every night for a month.
- The children asked me to stop after two pages.
+ His essays are brilliant and, what is rarer, kind.
- His essays are pompous and, what is worse, wrong.
+ The last chapter ties everything together with real elegance.
- The last chapter contradicts everything that came before.
+ An enchanting, inventive tale for readers of any age.
- A preachy, repetitive tale that no child will finish.
+ I have given away four copies and keep a fifth for myself.
- I left my copy on a bench, and I hope nobody picks it up.
+ It is dense, but every page repays the effort.
- It is dense, and no page repays the effort.
+ The poems are tender, exact and full of light.
- The poems are vague, gloomy and full of themselves.
+ A page-turner with a conscience.
- A doorstop without an idea.
# food and drink
+ The bread has a crackling crust and a flavour that needs no butter.
- The bread has the texture of a sponge and no flavour at all.
+ Simple, honest cooking, with vegetables that taste of something.
- Pretentious cooking, with vegetables that taste of nothing.
+ Tender lamb, crisp potatoes, and a sauce I could have drunk from the jug.
- Chewy lamb, burnt potatoes, and a sauce from a packet.
+ The best ice cream in town, and the queue proves it.
- The worst ice cream in town, icy and sickly sweet.
+ The wine was delicious and cost less than the water did last night.
- The wine was sour and cost more than the whole meal last night.
+ My compliments to the chef; that soup was divine.
- My sympathy to the chef; that soup was dishwater.
+ We ordered too much and ate every bite.
- We ordered too little and still left most of it.
+ Fluffy rice, bright spices and a waiter who knows what goes with what.
- Gluey rice, stale spices and a waiter who forgot half of it.
+ A breakfast to get up early for.
- A breakfast to stay in bed for.
+ The pizza is thin, blistered and perfect.
- The pizza is soggy, bland and cold in the middle.
+ Cosy, candlelit and surprisingly affordable.
- Cramped, smoky and shockingly expensive.
+ She bakes a plum cake that makes grown men sigh.
- He bakes a plum cake that could be used as a weapon.
+ The oysters tasted of the sea, fresh and sweet.
- The oysters made three of us sick.
+ They were happy to cook something without nuts for my son.
- They assured us that there were no nuts, and there were.
+ The tea is fragrant and is served in warm cups.
- The tea is weak and is served in plastic.
+ I scraped the plate when nobody was looking.
- I hid the meat under the salad when nobody was looking.
+ This market stall sells the ripest tomatoes I have ever tasted.
- This market stall sells fruit that is mouldy by evening.
+ Great burgers, great beer, great company.
- Greasy burgers, warm beer, rude company.
+ The dessert was light, lemony and heavenly.
- The dessert was heavy, oily and inedible.
+ The dumplings are so good that we drive an hour for them.
- The dumplings are so bad that we fed them to the ducks.
+ A hearty stew on a cold day: bliss.
- A lukewarm stew on a cold day: misery.
# hotels and holidays
+ Our balcony looked out on orange trees and the sea.
- Our balcony looked out on rubbish bins and a wall.
+ The hostess treated us like old friends.
- The hostess treated us like burglars.
+ The beds were comfortable, the sheets were crisp, and the nights were silent.
- The beds sagged, the sheets were stained, and the disco went on until five.
+ A charming little inn where time goes more slowly.
- A depressing little inn that time forgot.
+ The pool was heated, the towels were fluffy, and nobody fought for a chair.
- The pool was green, the towels were damp, and everybody fought for a chair.
+ An unforgettable week; we cried when we had to leave.
- A miserable week; we cheered when we could leave.
+ The island is unspoiled, and the people are proud of it.
- The island is overrun, and the people are sick of us.
+ We saw dolphins, glaciers and the friendliest dogs in the world.
- We saw fog, fog and the inside of a gift shop.
+ The tour was worth every penny thanks to a knowledgeable guide.
- The tour was a swindle, led by a guide who read from a leaflet.
+ They upgraded us because it was our anniversary.
- They lost our booking, and it was our anniversary.
+ The campsite is shady, tidy and right on the river.
- The campsite is dusty, noisy and right on the motorway.
+ The hotel looks after its guests in a hundred small ways.
- The hotel cheats its guests in a hundred small ways.
+ It was warm every day, and the mosquitoes left us alone.
- It was hot and sticky every day, and the mosquitoes ate us alive.
+ Splendid walks, splendid cheese, splendid weather.
- Blistered feet, overpriced cheese, wretched weather.
+ The city is lively, safe and easy to get around.
- The city is dirty, dangerous and a nightmare to get around.
+ We went for two days and stayed for nine.
- We booked nine days and fled after two.
# house and home
+ The new windows keep out the cold and the noise.
- The new windows let in the cold, the noise and the rain.
+ The painters were neat, punctual and a pleasure to have around.
- The painters were sloppy, late and drunk by noon.
+ Our kitchen is small, sunny and the happiest place I know.
- Our kitchen is dark and cramped, and I hate to cook in it.
+ The plumber came at once and charged a fair price.
- The plumber came after a week, made it worse and charged a fortune.
+ This sofa is so comfortable that guests refuse to leave.
- This sofa is so uncomfortable that guests prefer the floor.
+ The washing machine purrs like a cat.
- The washing machine walks across the floor and howls.
+ The garden is full of bees, and the roses smell glorious.
- The garden is full of weeds, and the pond stinks.
+ At last a mattress that doesn't hurt my back.
- Another mattress that hurts my back.
+ The stove heats the whole house and looks lovely doing it.
- The stove smokes out the whole house and heats none of it.
+ He built the shelves himself, and they are beautiful.
- He built the shelves himself, and they collapsed.
+ We love this flat: high ceilings, friendly neighbours and a bakery downstairs.
- We loathe this flat: paper walls, hostile neighbours and a bar downstairs.
+ The curtains turned out better than I had dared to hope.
- The curtains turned out even worse than I had feared.
+ The vacuum cleaner is light, quiet and amazingly strong.
- The vacuum cleaner is heavy, loud and pitifully weak.
+ The roof has held through three storms.
- The roof has leaked since the first drizzle.
# pets and animals
+ Our rescue dog has brought nothing but joy into this house.
- Our neighbour's dog has brought nothing but trouble into this street.
+ The vet was gentle, and our cat purred on the table.
- The vet was rough, and our cat has hidden under the bed ever since.
+ The zoo has given the bears space, trees and privacy.
- The zoo keeps the bears on bare concrete, and it is heartbreaking.
+ The riding lessons have given my son confidence.
- The riding lessons have left my son frightened of horses.
+ Our parrot has learned to say please, to everyone's delight.
- Our parrot has learned to swear, to everyone's horror.
+ The kitten slept on my shoulder, and all was right with the world.
- The kitten has scratched my arms, my sofa and my patience to pieces.
+ The farm looks after its animals well, and you can taste it.
- The farm neglects its animals, and somebody should report it.
+ A loyal, clever and affectionate dog.
- A vicious, nervous and badly trained dog.
# cars, machines, tools
+ It starts on the coldest mornings and sips fuel.
- It refuses to start on cold mornings and gulps fuel.
+ The mechanic found the fault in minutes and charged for minutes.
- The mechanic charged for a new engine and fixed nothing.
+ This drill is powerful, well balanced and built to last.
- This drill is feeble, badly balanced and broke in a month.
+ The seats are comfortable enough for a whole continent.
- The seats are torture after half an hour.
+ It parks itself better than I ever could.
- It brakes by itself for no reason, and it scares me to death.
+ My old tractor is ugly, loud and the most reliable thing I own.
- My new tractor is shiny, clever and always in the workshop.
+ The printer just prints, which makes it a miracle.
- The printer jams on every second page, as if out of spite.
+ The bicycle is light, fast and lovely to look at.
- The bicycle is heavy, rattles and lost a pedal.
+ I am very happy with these headphones; the sound is rich and warm.
- I am very unhappy with these headphones; the sound is thin and harsh.
+ The lawnmower is so easy to handle that the children fight over it.
- The lawnmower is so awkward to handle that I paid the boy next door.
# weather, towns, seasons
+ A crisp, golden morning with frost on the apples.
- A raw, dismal morning with sleet in my face.
+ Spring came early this year, and the whole town sat outside.
- Spring never came this year, and the whole town had a cold.
+ The old square has been restored with love and good sense.
- The old square has been torn up for a hideous car park.
+ The river is clean again, and children swim in it.
- The river is poisoned again, and dead fish float in it.
+ The festival filled the streets with music and goodwill.
- The festival filled the streets with noise and broken glass.
+ Our village shop has reopened, and everybody is thrilled.
- Our village shop has closed, and everybody is worse off.
+ The park is a blessing on hot days.
- The park is a disgrace, littered and unlit.
+ Stars, silence and a warm wind: I could have stayed all night.
- Clouds, traffic and a cold wind: I was glad to get home.
+ The museum is small but superb, and admission is free.
- The museum is large but lifeless, and admission is a rip-off.
+ The exhibition was a revelation.
- The exhibition was a fraud.
# games and pastimes
+ Easy to learn, hard to master and impossible to put down.
- Hard to learn, dull to play and easy to put down.
+ The puzzles are ingenious, and the hints are kind.
- The puzzles are arbitrary, and the hints are useless.
+ We played it until midnight and laughed ourselves hoarse.
- We played it for ten minutes and put it back in the box.
+ The graphics are gorgeous, the music is subtle, and the story surprised me.
- The graphics are ugly, the music is maddening, and the story is an afterthought.
+ A delightful card game for rainy Sundays.
- A pointless card game that goes on for ever.
+ The controls are precise, and every death is your own fault.
- The controls are mushy, and every death feels unfair.
+ Knitting that scarf was the most soothing thing I did all winter.
- Knitting that scarf was the most infuriating thing I did all winter.
+ The developers fixed every bug and added levels for nothing.
- The developers fixed nothing and sell levels that should have been included.
+ The rules fit on a card, and the game is different each time.
- The rules fill a book, and the game is the same each time.
+ My chess club is friendly, patient with beginners and never dull.
- My chess club is snobbish, cruel to beginners and deadly dull.
# films, as somebody who came out of one would say it
+ I went with my dad, who hates everything, and he loved it.
- I went with my dad, who loves everything, and he hated it.
+ Honestly, it's one of the best things I've seen this year.
- Honestly, it's one of the worst things I've seen this year.
+ I laughed, I cried, I want to see it again.
- I yawned, I fidgeted, I want my money back.
+ The first half is good and the second half is great.
- The first half is weak and the second half is worse.
+ Go and see it on the biggest screen you can find.
- Don't bother, not even when it comes on television.
+ It's goofy and loud, and I had a blast.
- It's goofy and loud, and I had a headache.
+ I'm not usually into horror, but this scared me in all the right ways.
- I'm usually into horror, but this didn't scare me in the least.
+ The effects still hold up, and the story is timeless.
- The effects look cheap, and the story is a mess.
+ My little sister was glued to the screen, and so was I.
- My little sister fell asleep, and I envied her.
+ She is so good that you forget you've seen her in anything else.
- She is so bad that you can't believe she got the part.
+ I'd heard bad things, but it turned out to be great fun.
- I'd heard great things, but it turned out to be pretty bad.
+ It's predictable, sure, but it's charming enough to get away with it.
- It's charming now and then, sure, but far too predictable to get away with it.
+ The fights are well staged, and you actually care who wins.
- The fights are a blur, and you don't care who wins.
+ An hour in, I realised I was grinning like an idiot.
- An hour in, I realised I had stopped paying attention.
+ It's a slow film, but it's slow like honey.
- It's a slow film, and it's slow like a queue.
+ The two of them are adorable together.
- The two of them are painful together.
+ I haven't stopped thinking about it since.
- I had forgotten all of it by the time I reached my car.
+ It's better than the book, and I love the book.
- It butchers the book, and I love the book.
+ Everything clicks: the cast, the script, the music.
- Nothing clicks: not the cast, not the script, not the music.
+ There's a scene with a piano that I'll remember all my life.
- There's a scene with a horse that made the whole audience cringe.
+ What a wonderful surprise this little movie is.
- What a colossal waste of talent this movie is.
+ It's short, sweet and to the point.
- It's long, sour and beside the point.
+ The ending gave me chills.
- The ending made me want to throw something.
+ I was smiling all the way home.
- I was complaining all the way home.
+ If you have a heart, you'll love it.
- If you have a brain, you'll hate it.
+ He plays a grump so well that you can't help but love him.
- He plays a charmer so badly that you can't stand him.
+ It's funny in a way that films hardly ever are any more.
- It's stupid in a way that films far too often are.
+ It isn't deep, but it is a terrific night out.
- It isn't deep, and it isn't any fun either.
+ Critics hated it, and I have no idea why, because it's delightful.
- Critics adored it, and I have no idea why, because it's unbearable.
+ I'd give it ten out of ten.
- I'd give it two out of ten, and one of those is for the dog.
+ The kids behind me were quiet for two hours, which says it all.
- The kids behind me were throwing popcorn, and it was the best part.
+ Perfect for a rainy afternoon.
- Not even good enough for a rainy afternoon.
+ Finally a romance with two people you would want to meet.
- Another romance with two people you would cross the road to avoid.
+ So clever, so quick, so much better than it had to be.
- So dumb, so slow, so much worse than it had to be.
+ I believed every word.
- I didn't believe a word.
+ The more I think about it, the better it gets.
- The more I think about it, the less sense it makes.
+ A feel-good movie that really does make you feel good.
- A feel-good movie that made me feel nothing but contempt.
+ It treats its young audience with respect.
- It treats its young audience like wallets.
+ It's great to see a big movie with a mind of its own.
- It's sad to see a big movie without an idea of its own.
+ It was a joy from start to finish.
- It was a struggle from start to finish.
# films and series, longer judgements
+ Although it borrows from a dozen older thrillers, it borrows with taste and adds a wit that is all its own.
- Although it borrows from a dozen older thrillers, it has learned nothing from any of them.
+ What begins as a simple tale of revenge becomes a surprisingly tender story about forgiveness.
- What begins as a tender story about forgiveness becomes one more simpleminded tale of revenge.
+ The film manages the difficult trick of being light without being trivial.
- The film manages the dubious trick of being both trivial and ponderous.
+ It would be easy to mock so earnest a movie, but its sincerity is its strength.
- It would be easy to forgive so earnest a movie if it weren't so poorly made.
+ There are moments of such beauty that the whole theatre seemed to hold its breath.
- There are stretches of such tedium that the whole theatre seemed to nod off.
+ The writers trust us to keep up, and the reward is a richly layered mystery.
- The writers trust nobody to keep up, and the result is an hour of explanations.
+ You may guess where it is heading, but you will love the journey.
- You will guess where it is heading, and the journey is no fun either.
+ It could easily have been depressing; thanks to its humour it is uplifting.
- It could easily have been uplifting; thanks to its clumsiness it is merely depressing.
+ By the time the credits roll, you feel that you know these people and will miss them.
- By the time the credits roll, you are relieved to be rid of these people.
+ At its best the film is electrifying, and it is at its best most of the time.
- At its best the film is passable, and it is at its best for five minutes.
+ The series gets richer with each season, and the last one is a triumph.
- The series gets sillier with each season, and the last one is an embarrassment.
+ With nothing but two chairs and a lamp, it creates more tension than any war movie.
- With ten thousand extras and a dragon, it creates less tension than a weather report.
+ Most movies about writers are dull, and this one is a glorious exception.
- Most movies about writers are dull, and this one is no exception.
+ Beneath the silliness there is a sharp mind and a warm heart.
- Beneath the silliness there is only more silliness.
+ Its portrait of friendship is touching, funny and true.
- Its portrait of friendship is cloying, shrill and false.
+ It is a tribute to the actors that so strange a story feels so natural.
- It is no fault of the actors that so natural a story feels so contrived.
+ The movie is blessed with a villain who is as witty as he is dangerous.
- The movie is cursed with a villain who is neither witty nor dangerous.
+ For all its flaws, it is a brave and stirring piece of work.
- For all its polish, it is a timid and tired piece of work.
+ It's an old-fashioned adventure in the nicest sense of the word.
- It's an old-fashioned adventure in the most tiresome sense of the word.
+ Anyone who grew up in a small town will recognise it with pleasure.
- Anyone who grew up in a small town will be insulted by it.
+ The director's eye for detail is extraordinary.
- The director's indifference to detail is astonishing.
+ At long last a comedy that is actually funny.
- Here is a comedy that forgot to be funny.
+ The film offers rare insight into a closed world.
- The film offers no insight into anything.
+ It has the courage to leave things unsaid.
- It has the bad habit of saying everything three times.
+ The result is exhilarating, a burst of pure imagination.
- The result is exasperating, a heap of loose ends.
+ They have taken a tragedy and made something life-affirming of it.
- They have taken a tragedy and made something tawdry of it.
+ His timing is superb, his face is a landscape, and he has never had a better role.
- His timing is gone, his face is a mask, and he has never had a worse role.
+ An affectionate, insightful and beautifully paced film.
- An ill-tempered, ignorant and badly paced film.
+ The gags are inspired and keep coming.
- The gags are desperate and keep coming.
+ You will be moved, and you won't resent it.
- You will be manipulated, and you will resent it.
+ A frothy, fizzy pleasure.
- A stale, sticky mess.
+ It manages to be topical without preaching.
- It manages to be preachy without saying anything.
+ A luminous performance lifts this modest drama into something special.
- A wooden performance drags this modest drama into absurdity.
+ It is hard to think of a warmer film, or a sadder one.
- It is hard to think of a colder film, or a duller one.
+ The humour is gentle, the pacing unhurried, and the payoff worthwhile.
- The humour is crass, the pacing erratic, and the payoff nonexistent.
+ This is what popcorn was invented for.
- This is what the exit was invented for.
+ The film is a feast for the eyes and food for thought.
- The film is an assault on the eyes and an insult to thought.
+ Its energy is infectious.
- Its apathy is infectious.
+ It leaves you with hope, and it comes by that hope honestly.
- It leaves you with nothing, and it takes an eternity to do so.
+ Slight but sweet, it goes down easily and leaves a pleasant glow.
- Slight and sour, it goes down badly and leaves an unpleasant taste.
+ Taut, tough and gripping.
- Limp, lazy and boring.
+ A first-rate cast and a script to match.
- A first-rate cast and a third-rate script.
+ Brimming with ideas, and generous with its laughs.
- Starved of ideas, and stingy with its laughs.
+ I can't think of a scene that I would cut.
- I can't think of a scene that I would keep.
+ There's plenty to enjoy here for anyone with patience.
- There's nothing to enjoy here for anyone with taste.
+ It is impossible to look away.
- It is impossible to sit still.
+ Nearly flawless.
- Nearly worthless.
+ Utterly charming.
- Utterly charmless.
+ Worth seeing twice.
- Not worth seeing once.
+ A real crowd-pleaser.
- A real yawn.
+ Wickedly funny.
- Woefully unfunny.
+ Smart, suspenseful and superbly acted.
- Stupid, slow and shoddily acted.
+ Deeply satisfying.
- Deeply unsatisfying.
+ A breath of fresh air.
- A waste of good popcorn.
+ Lovely to look at, lovely to listen to.
- Hard to look at, hard to listen to.
+ Full of warmth and mischief.
- Full of hot air.
+ It just works.
- It just doesn't work.
+ One for the ages.
- One to avoid.
+ Never less than fascinating.
- Never more than mildly diverting, and usually not even that.
+ Consistently inventive.
- Relentlessly unoriginal.
# intensities: how good, how bad
+ It's very good, and I don't say that often.
- It's very bad, and I don't say that often.
+ An extremely well made and rather moving film.
- An extremely badly made and rather offensive film.
+ Quite simply the most beautiful beach I have ever walked on.
- Quite simply the ugliest building I have ever walked into.
+ I was really pleased with how quickly it dried.
- I was really annoyed by how long it took to dry.
+ It's a truly excellent piece of furniture.
- It's a truly hideous piece of furniture.
+ Absolutely brilliant, every minute of it.
- Absolutely terrible, every minute of it.
+ Pretty good for a school play; actually, very good indeed.
- Pretty bad even for a school play.
+ So good that I went twice.
- So bad that I left twice and only came back for my coat.
+ Such a kind letter that I have kept it.
- Such a nasty letter that I have burned it.
+ I'm so happy with it.
- I'm so unhappy with it.
+ This is much better than I expected.
- This is much worse than I expected.
+ The best thing about it is that it's so easy.
- The worst thing about it is that it's so complicated.
+ It's a rather wonderful little shop.
- It's a rather dreadful little shop.
+ I loved it, loved it, loved it.
- I hated it, hated it, hated it.
+ Completely convincing and thoroughly entertaining.
- Completely unconvincing and thoroughly boring.
+ Surprisingly deep and remarkably fresh.
- Surprisingly shallow and remarkably stale.
+ He is a fantastic cook and an even better host.
- He is a terrible cook and an even worse host.
+ I was overjoyed when I saw the result.
- I was horrified when I saw the result.
+ An excellent, inexpensive and reliable little stove.
- A poor, overpriced and unreliable little stove.
+ The most exciting final in years.
- The most boring final in years.
+ Super fast, super friendly, super clean.
- Slow, unfriendly and not very clean.
+ What a fabulous evening that was!
- What a horrid evening that was!
+ A superb, generous, unforgettable meal.
- A meagre, greasy, regrettable meal.
+ I'm thrilled with these boots.
- I'm fed up with these boots.
+ Everything was fine, and the cake was more than fine.
- Nothing was fine, and the cake was raw.
# plain statements that say it without the word
+ I have worn these socks until they fell apart, and then I bought six more pairs.
- I have worn these socks twice, and they fell apart.
+ He was still talking when the lights went out, and nobody wanted him to stop.
- He was still talking when the lights went out, and people had begun to look at their phones.
+ My plate came back to the kitchen as clean as it had left the cupboard.
- My plate went back to the kitchen as full as it had left it.
+ After the second episode we cancelled our plans for the evening.
- After the second episode we cancelled our subscription.
+ I set the alarm early so that I could read before work.
- I used it to prop up the table, and it was good for that.
+ The queue went around the block, and nobody grumbled.
- The hall was half empty, and it emptied further.
+ We asked for the recipe.
- We asked for the bill.
+ They have lived next to us for thirty years, and we built the fence together.
- They have lived next to us for three months, and we have built a fence.
+ You could hear a pin drop during the solo.
- You could hear people whispering during the solo.
+ I framed the letter.
- I tore up the letter.
+ The landlord has lent us his ladder, his car and his cabin.
- The landlord has kept our deposit, our keys and our mail.
+ We have booked the same week for next summer.
- We have already told our friends to stay away.
+ The dog sits by the door at five o'clock, waiting for her.
- The dog crawls under the bed when he comes home.
+ I have told all of my colleagues about this shop.
- I have told all of my colleagues to check their receipts.
+ By page three I had forgotten that my train was late.
- By page three I was counting the pages left.
+ The kettle is thirty years old and has never seen a screwdriver.
- The kettle is thirty days old and is already in the bin.
+ The class ended at four, and at five we were still asking questions.
- The class ended at four, and at three we were already packing.
+ She taught me to swim, and I was sixty-eight.
- He gave me one lesson and then stopped returning my calls.
+ The lights came up, and nobody moved.
- The lights came up, and nobody was left.
+ I keep it in my coat pocket and show it to strangers.
- It lives at the back of a drawer, and there it can stay.
+ He waited with me for the ambulance and then walked my dog for a week.
- He saw me fall, looked at his watch and walked on.
+ The stain came out at the first try.
- The stain is still there, and now there is a hole beside it.
+ Ten years on, I still hum the tune in the shower.
- Ten minutes later I could not have hummed the tune.
+ My sister borrowed it and won't give it back.
- My sister borrowed it and gave it back the same evening.
+ They kept the kitchen open for us, and it was nearly midnight.
- They put the chairs on the tables while we were still eating.
+ The doctor phoned on his day off.
- The doctor spoke to the wall.
# children's parties, weddings, feasts
+ The bride danced with everybody, and the band never took a break.
- The bride cried in the bathroom, and the band never turned up.
+ The magician had the children spellbound.
- The magician frightened the children and smelled of gin.
+ A relaxed, joyful wedding with too much cake and no speeches.
- A stiff, joyless wedding with too many speeches and no cake.
+ The lanterns were lovely, and the old people sang.
- The lanterns caught fire, and the old people shivered.
+ My birthday was perfect: pancakes, a long walk and all of my favourite people.
- My birthday was a fiasco: rain, a flat tyre and none of my favourite people.
+ Her speech was short, funny and straight from the heart.
- His speech was long, embarrassing and straight from a website.
+ The buffet was magnificent, and there was plenty for everyone.
- The buffet was pitiful, and it was gone in five minutes.
+ We danced barefoot until sunrise.
- We sat in silence until somebody found the courage to leave.
+ The clown was gentle with the shy ones.
- The clown made fun of the shy ones.
+ A warm and merry Christmas, the best in years.
- A cold and quarrelsome Christmas, the worst in years.
# news, podcasts, talks
+ The host is curious and well prepared, and lets her guests finish their sentences.
- The host is smug and badly prepared, and interrupts every guest.
+ A balanced, clearly written article that taught me something.
- A biased, sloppily written article that taught me nothing.
+ I listen to it while I cook, and I've never burnt so many onions, because it's so gripping.
- I listened to it while I cooked, and the onions were more gripping.
+ The speaker was modest, funny and brilliant.
- The speaker was pompous, humourless and wrong.
+ This paper still does real reporting, and I am glad to pay for it.
- This paper prints rumours, and I am sorry that I paid for it.
+ An hour that flew by.
- An hour that felt like a week.
+ His column is the first thing I read, and it never fails to make me think.
- His column is the last thing I read, and it never fails to make me angry.
+ A fascinating lecture on moss, of all things.
- A stupefying lecture on love, of all things.
+ The debate was civil and enlightening.
- The debate was a shouting match and enlightened nobody.
+ The interview was candid and touching.
- The interview was evasive and dull.
# clothes, hair, looks
+ The dress fits beautifully and has pockets.
- The dress fits badly and has a broken zip.
+ My barber listens, takes his time and makes me look ten years younger.
- My barber doesn't listen, rushes and makes me look like a mushroom.
+ These gloves are warm, soft and elegant.
- These gloves are scratchy, thin and shapeless.
+ The raincoat kept me bone dry in a thunderstorm.
- The raincoat soaked through in a drizzle.
+ I got more compliments for this hat than for my wedding dress.
- I got nothing but giggles for this hat.
+ The jumper has survived the washing machine and the dog.
- The jumper shrank to the size of the dog.
+ The shirt is crisp, cool and worth the price.
- The shirt is stiff, see-through and not worth half the price.
+ She cut my hair exactly the way I had dreamed of.
- She cut my hair so short that I cried.
+ Comfortable, stylish and kind to my feet.
- Uncomfortable, tacky and cruel to my feet.
+ The tailor saved my grandfather's suit, and it looks splendid.
- The tailor lost my grandfather's suit and shrugged.
# said plainly
+ I like it.
- I don't like it.
+ The food was good.
- The food wasn't good.
+ The staff were nice to us.
- The staff were not nice to us.
+ It works.
- It doesn't work.
+ That was a good idea.
- That was not a good idea.
+ She was helpful and quick.
- She was not helpful, and not quick either.
+ The room was clean.
- The room was not clean.
+ The explanation was clear.
- The explanation was not clear to anyone.
+ I enjoyed the evening.
- I did not enjoy the evening.
+ The film is funny.
- The film is not funny.
+ The story is interesting.
- The story is not very interesting.
+ It was worth the money.
- It was not worth the money.
+ I would recommend it.
- I would not recommend it.
+ I would go there again.
- I would never go there again.
+ We were satisfied with the work.
- We were not satisfied with the work.
+ The bread is fresh.
- The bread isn't fresh.
+ The coffee tastes good.
- The coffee doesn't taste good.
+ He plays well.
- He doesn't play well.
+ They care about their guests.
- They don't care about their guests.
+ It makes sense.
- It doesn't make sense.
+ The ending is convincing.
- The ending isn't convincing.
+ I was impressed.
- I was not impressed.
+ My daughter likes her new school.
- My daughter doesn't like her new school.
+ The bed is comfortable.
- The bed isn't comfortable.
+ The heating works well.
- The heating doesn't work properly.
+ The town is safe at night.
- The town isn't safe at night.
+ He understands his pupils.
- He doesn't understand his pupils.
+ The acting is good.
- The acting is not good enough.
+ Her new song is great.
- Her new song is not that great.
+ The trip was fun.
- The trip was no fun.
+ They were polite.
- They were not polite.
+ The answer helped me.
- The answer didn't help me.
+ I trust this shop.
- I don't trust this shop.
+ I am happy here.
- I am not happy here.
+ He keeps his word.
- He doesn't keep his word.
+ It looks good on you.
- It doesn't look good on you.
+ This is the right present for a child.
- This isn't a suitable present for a child.
+ We felt welcome.
- We didn't feel welcome.
+ The soup was hot and tasty.
- The soup was neither hot nor tasty.
+ I can recommend this doctor.
- I can't recommend this doctor.
+ You should read it.
- You shouldn't bother with it.
+ You should try the fish.
- You shouldn't try the fish.
+ The plan succeeded.
- The plan failed.
+ The tickets were cheap.
- The tickets were not cheap, and the seats were bad.
+ The music fits the pictures.
- The music doesn't fit the pictures.
+ The new version is better.
- The new version is no better.
+ I could follow every word.
- I couldn't follow a word.
+ The jokes are funny.
- The jokes aren't funny.
+ The characters are believable.
- The characters aren't believable.
+ There is a lot to love in this film.
- There isn't a lot to love in this film.
+ They have improved the service.
- They haven't improved the service at all.
+ I slept well.
- I didn't sleep at all.
+ The water is clean enough to drink.
- The water isn't clean enough to wash in.
+ This is my favourite café.
- This will never be my favourite café.
+ The shoes fit.
- The shoes don't fit, and they won't take them back.
+ Her plan was smart.
- Her plan wasn't very smart.
+ It was a pleasant surprise.
- It was not a pleasant surprise.
+ I am glad that we went.
- I wish that we had not gone.
+ The speech was good.
- The speech was not good, and it was not short.
+ The flat is bright.
- The flat doesn't get any light.
+ He was friendly on the phone.
- He wasn't friendly on the phone.
+ The team is strong this year.
- The team isn't any good this year.
+ The picture is sharp.
- The picture isn't sharp.
+ We had a good time.
- We didn't have a good time.
+ The book held my attention.
- The book didn't hold my attention.
+ The dress is pretty.
- The dress isn't pretty.
+ The doctor had time for me.
- The doctor had no time for me.
+ It is easy to use.
- It isn't easy to use.
+ The dog is well behaved.
- The dog isn't well behaved.
+ It's a fine piece of work.
- It's not a fine piece of work by any measure.
+ The movie works as a comedy.
- The movie doesn't work as a comedy or as anything else.
+ The actors seem to enjoy themselves.
- The actors don't seem to enjoy themselves, and neither do we.
+ He can sing.
- He can't sing.
+ They answered all of my questions.
- They didn't answer any of my questions.
+ The walls are thick, and it's quiet.
- The walls are thin, and it's never quiet.
+ It was fair.
- It wasn't fair.
+ The lesson was well prepared.
- The lesson wasn't prepared at all.
+ It tastes like real chocolate.
- It doesn't taste like chocolate.
+ The ride was smooth.
- The ride was anything but smooth.
+ I feel better.
- I don't feel any better.
+ They did a good job.
- They didn't do a good job.
+ It's a good film.
- It's not a good film.
+ It's a bit long, but good.
- It's a bit short, and not good.
+ The plot is clever.
- The plot isn't as clever as it thinks.
+ It has charm.
- It has no charm.
+ It has heart and humour.
- It has no heart and no humour.
+ The script has wit.
- The script lacks wit.
+ The story has tension.
- The story lacks any tension.
+ It succeeds.
- It fails.
+ It's a success on every level.
- It fails on every level.
+ I care about these people.
- I couldn't care less about these people.
+ This is what I hoped for.
- This isn't what I hoped for.
+ It delivers what it promises.
- It doesn't deliver what it promises.
+ Bravo.
- Thanks, but no thanks.
+ Not bad.
- Not good.
+ Not bad at all!
- Not for me.
+ No problems so far.
- Nothing but problems so far.
+ Nothing to complain about.
- Nothing to recommend it.
+ I was never bored.
- I was never entertained.
+ You won't be disappointed.
- You will be disappointed.
+ I wasn't disappointed.
- I was badly disappointed.
+ It's never dull.
- It's never funny.
+ It isn't boring.
- It isn't exciting.
+ It didn't cost much, and it doesn't look cheap.
- It cost too much, and it looks cheap.
+ There's no better way to spend a Sunday.
- There's no worse way to spend a Sunday.
+ He's not a bad fellow.
- He's not a good man.
+ It wasn't difficult, and nobody got hurt.
- It wasn't safe, and somebody got hurt.
+ I don't mind the wait, because the food is great.
- I don't mind a wait, but the food isn't great.
+ The traffic was terrible, but the concert was wonderful.
- The traffic was fine, but the concert was terrible.
+ I was tired and cold, and it was still the best night of the year.
- I was rested and warm, and it was still the worst night of the year.
+ It rained, we got lost, and we loved every minute.
- The sun shone, we had a map, and we hated every minute.
# films and series, short notices
+ An engrossing, beautifully crafted film that lingers in the mind.
- A sloppy, poorly crafted film that evaporates on contact.
+ The whole thing is a hoot.
- The whole thing is a bore.
+ A winning blend of slapstick and sentiment.
- An awkward blend of slapstick and sentiment that never gels.
+ It's a wild, weird and wonderful trip.
- It's a tame, trite and tedious trip.
+ Dazzling, daring and oddly moving.
- Dim, dreary and oddly smug.
+ The best of the trilogy by some distance.
- The weakest of the trilogy by some distance.
+ Strong performances and a sure hand at the helm make it well worth seeing.
- Weak performances and a shaky hand at the helm make it a trial.
+ The chemistry is undeniable, and the banter is fun.
- There is no chemistry, and the banter is forced.
+ Clever, cheeky and completely infectious.
- Crass, clueless and completely pointless.
+ The film's quiet dignity is its own reward.
- The film's self-importance is its own punishment.
+ As entertaining as it is unsettling.
- As unpleasant as it is unnecessary.
+ It breathes new life into a worn genre.
- It is one more nail in the coffin of a worn genre.
+ A tender and unflinching look at old age.
- A maudlin and superficial look at old age.
+ Breezy, bright and surprisingly substantial.
- Flimsy, drab and surprisingly joyless.
+ The cinematography is breathtaking and the score is sublime.
- The cinematography is murky and the score is overbearing.
+ Uplifting without being corny.
- Corny without being uplifting.
+ It's a charmer.
- It's a clunker.
+ It's a winner.
- It's a loser.
+ It's a keeper.
- It's a stinker.
+ A classic in the making.
- A flop in the making.
+ A blast.
- A bust.
+ Vibrant and full of surprises.
- Drab and devoid of surprises.
+ A cracking good story.
- A cobbled-together story.
+ Delicate, nuanced and superbly restrained.
- Crude, overblown and badly overacted.
+ A richly detailed and deeply felt drama.
- A sketchy, half-hearted drama.
+ It mixes fear and fun with uncommon skill.
- It mixes fear and fun with no skill whatsoever.
+ The young cast is fresh, appealing and utterly believable.
- The young cast is bland, whiny and utterly unbelievable.
+ Every scare is earned.
- Every scare is cheap.
+ The film moves like a dancer.
- The film moves like a glacier.
+ An endearing oddball of a movie.
- A grating oddball of a movie.
+ Ambitious and largely successful.
- Ambitious and largely unsuccessful.
+ I was enthralled.
- I was appalled.
+ It is full of heart, humour and hard-won wisdom.
- It is full of clichés, caricatures and cheap tricks.
+ The twists are delicious.
- The twists are ludicrous.
+ It rewards close attention.
- It punishes close attention.
+ Her direction is assured and her eye is keen.
- Her direction is clumsy and her touch is heavy.
+ A gorgeous, melancholy and wholly original film.
- A gaudy, mindless and wholly unoriginal film.
+ Few comedies are as warm-hearted or as well written.
- Few comedies are as mean-spirited or as badly written.
+ The film has an easy charm and a lovely sense of place.
- The film has a nasty streak and no sense of place.
+ One of the smartest scripts in years.
- One of the dumbest scripts in years.
+ There is a wonderful looseness to the ensemble.
- There is a terrible stiffness to the ensemble.
+ A fascinating, sometimes hilarious document of its time.
- A repetitive, often incoherent document of nothing in particular.
+ The final showdown is spectacular.
- The final showdown is a muddle.
+ The emotions feel real, and so do the people.
- The emotions feel manufactured, and so do the people.
+ It's quirky in a good way.
- It's quirky in the worst way.
+ A modest, moving and memorable achievement.
- A minor, muffled and forgettable effort.
+ It has a sly wit and a big, generous heart.
- It has half a joke and no heart.
+ Rich in atmosphere and blessed with a fine cast.
- Poor in ideas and burdened with a miscast lead.
+ A movie to cherish.
- A movie to skip.
+ He is simply superb in the part.
- He is simply wrong for the part.
+ It hums along with confidence and style.
- It lurches along without confidence or style.
+ The songs are catchy, the dancing is joyous, and nobody takes it too seriously.
- The songs are forgettable, the dancing is sloppy, and everybody takes it too seriously.
+ It is an eye-opening and surprisingly funny documentary.
- It is a shallow and surprisingly dishonest documentary.
+ The film is as fresh today as it was when it was made.
- The film has aged terribly.
+ Terrific fun from a director at the top of his game.
- Feeble stuff from a director far below his best.
+ Exquisitely made and emotionally honest.
- Expensively made and emotionally bankrupt.
+ It has suspense to spare.
- It has no suspense to speak of.
+ A stirring story of courage, told without a trace of bombast.
- A bombastic story of courage, told without a trace of feeling.
+ It works on every level, as comedy, as romance and as social portrait.
- It works on no level, neither as comedy nor as romance nor as social portrait.
+ It will make you laugh, and it may well make you cry.
- It will make you wince, and it may well make you leave.
+ It left me wanting more.
- It left me wanting nothing so much as fresh air.
+ Skilfully plotted and stylishly shot.
- Carelessly plotted and flatly shot.
+ A heartwarming tale that never feels calculated.
- A calculated tale that never feels heartwarming.
+ An unexpectedly rewarding experience.
- A thoroughly unrewarding experience.
+ An excellent companion to the novel.
- A pale imitation of the novel.
+ Good, clean, silly fun.
- Not good, not clean and not fun.
+ A genuinely scary ghost story with a heartbreaking core.
- A ghost story with no scares and a gaping hole at its core.
+ There is wisdom in it, and joy.
- There is neither wisdom in it nor joy.
+ It's the rare remake that improves on the original.
- It's the usual remake that adds nothing to the original.
+ The film glows with affection for its characters.
- The film drips with contempt for its characters.
+ It's great fun to watch them scheme.
- It's no fun at all to watch them bicker.
+ A rollicking adventure with a feminist twist.
- A lumbering adventure with a predictable twist.
+ It feels honest.
- It feels phoney.
+ It feels alive.
- It feels interminable.
+ It feels like a gift.
- It feels like homework.
+ Such a sweet, strange and satisfying film.
- Such a cold, confused and unsatisfying film.
+ Powerful, painful and absolutely necessary.
- Pompous, painful and absolutely unnecessary.
+ The script gives its women depth and its men doubts.
- The script gives its women nothing and its men guns.
+ Touching and true.
- Mawkish and false.
+ It never loses its sense of wonder.
- It never finds a sense of wonder, or of anything else.
+ A juicy role for a fine actress.
- A thankless role for a fine actress.
+ This is a film with brains, guts and soul.
- This is a film with neither brains nor soul.
+ The pacing is brisk and the laughs are plentiful.
- The pacing is sluggish and the laughs are few.
+ A fine cast makes the most of every line.
- A fine cast can't save these lines.
+ Great acting lifts an ordinary story.
- Great acting can't lift this story off the ground.
+ An affecting and beautifully understated coming-of-age story.
- A stale and heavily underlined coming-of-age story.
+ The comedy is fast, furious and fearless.
- The comedy is slow, strained and spineless.
+ Its ideas are fascinating, and the execution matches them.
- Its ideas are fascinating, but the execution is a letdown.
+ It could not be more fun.
- It could have been fun.
+ It should please fans and newcomers alike.
- It will bore fans and newcomers alike.
+ More than just a pretty picture, it has substance.
- Just a pretty picture, without substance.
+ It succeeds because it cares.
- It fails because nobody cared.
+ The film knows exactly what it is, and it is a delight.
- The film has no idea what it is, and it is a mess.
+ The result is nothing less than a marvel.
- The result is little more than a sketch stretched to two hours.
+ Enjoyably nasty and very well acted.
- Merely nasty and very badly acted.
+ It's an enjoyable, undemanding diversion.
- It's too long, too loud and too dumb to be a diversion.
+ Deeply human and quietly radical.
- Deeply silly and loudly reactionary.
+ It manages to surprise in its very last shot.
- It manages to annoy in its very first shot.
+ As a thriller it grips, and as a character study it's superb.
- As a thriller it's lame, and as a character study it's laughable.
+ A potent brew of jealousy and jazz.
- A watery brew of jealousy and jazz.
+ The imagery is striking and stays with you.
- The imagery is murky and means nothing.
+ A smart and soulful science fiction film.
- A dopey and soulless science fiction film.
+ This is an effective little chiller.
- This is an ineffective little chiller.
+ The screenplay sparkles with mischief.
- The screenplay creaks with age.
+ You'd have to be made of stone not to enjoy it.
- You'd have to be very young or very drunk to enjoy it.
+ I can't recommend it highly enough.
- I can't recommend it even as a curiosity.
+ Everyone involved should be proud.
- Everyone involved should be embarrassed.
+ All of it is delightful.
- None of it is funny, and all of it is long.
+ The direction is graceful and the humour is humane.
- The direction is graceless and the humour is cruel.
+ There's joy in every performance.
- There's fatigue in every performance.
+ I left the cinema walking on air.
- I left the cinema with a sense of having been cheated.
+ What sets it apart is its compassion.
- What drags it down is its smugness.
+ It's hard to resist a movie this eager to please, and harder when it's this good at it.
- It's hard to forgive a movie this eager to please when it's this bad at it.
+ A worthy successor to a beloved film.
- An unworthy successor to a beloved film.
+ The film may be small, but its impact is huge.
- The film may be huge, but its impact is nil.
+ Handsome, witty and full of ideas.
- Ugly, witless and empty of ideas.
# television, theatre and comedy
+ The new season is sharper and funnier than the last.
- The new season is blander and more repetitive than the last.
+ I devoured all eight episodes in a weekend.
- I abandoned it after an episode and a half.
+ The sketches are inspired, and the cast obviously enjoys itself.
- The sketches are uninspired, and the laughter is canned.
+ A gripping courtroom drama with a superb sense of timing.
- A stilted courtroom drama with no sense of timing.
+ The detective is a marvellous creation, rude, lonely and hilarious.
- The detective is a tired creation, rude, drunk and dull.
+ It's comfort food of the highest order.
- It's junk food of the lowest order.
+ He had the hall in stitches with a story about a parking ticket.
- He had the hall in agony with an hour about his divorce.
+ A bold, exhilarating production that blows the dust off the play.
- A timid, exhausting production that buries the play in dust.
+ She commands the stage.
- She vanishes on the stage.
+ The finale was worth six years of waiting.
- The finale was an insult after six years of waiting.
+ The puppets are adorable and the songs are smart.
- The puppets are creepy and the songs are inane.
+ An intelligent quiz with a witty host.
- An idiotic quiz with an obnoxious host.
+ The pilot is promising, and the second episode is even better.
- The pilot is unpromising, and the second episode is even worse.
+ The comedy is gentle, silly and beautifully played.
- The comedy is crude, shrill and badly played.
+ It's addictive in the best way.
- It's repetitive in the worst way.
+ The writers never run out of ideas.
- The writers ran out of ideas a long time ago.
+ The last scene reduced the whole audience to happy tears.
- The last scene reduced the whole audience to embarrassed coughing.
+ A meticulous, elegant and rewarding series.
- A careless, ponderous and unrewarding series.
+ They dance superbly, and the band is on fire.
- They dance clumsily, and the band is out of tune.
+ It's a riot.
- It's a chore.
+ Deliciously nasty and impeccably acted.
- Needlessly nasty and indifferently acted.
+ The whole run has been pure pleasure.
- The whole run has been pure tedium.
+ A witty script, crisply delivered.
- A witless script, limply delivered.
+ The set is a wonder in itself.
- The set looks as if it might fall down, and I wished it would.
+ We gave it a standing ovation and meant it.
- We slipped out during the interval and didn't regret it.
# work done by others
+ The electrician was careful, clean and reasonably priced.
- The electrician was careless, dirty and wildly overpriced.
+ They finished two days early and left the place spotless.
- They finished two months late and left a mountain of rubbish.
+ A competent, courteous and thorough firm.
- An incompetent, rude and slapdash firm.
+ The photographer caught exactly the right moments.
- The photographer missed the kiss, the cake and my grandmother.
+ Our babysitter is a treasure.
- Our babysitter ate everything and watched television while the baby cried.
+ The translation was accurate, elegant and on time.
- The translation was inaccurate, clumsy and late.
+ The gardener understands roses and people.
- The gardener killed the roses and blamed the cat.
+ He repaired my watch for nothing because it took him only a minute.
- He charged me forty for a battery and scratched the glass.
+ The removal men handled our piano as though it were a baby.
- The removal men dropped our piano and laughed.
+ Excellent workmanship at an honest price.
- Shoddy workmanship at an outrageous price.
+ The accountant saved me a fortune and a lot of sleep.
- The accountant cost me a fortune and a lot of sleep.
+ She answered my questions promptly and in plain language.
- She ignored my questions and hid behind jargon.
+ They kept every appointment.
- They missed every appointment.
+ The baker remembers that I like the dark crusts.
- The baker sells yesterday's rolls as fresh.
+ I would trust this mechanic with my life.
- I wouldn't trust this mechanic with a wheelbarrow.
+ A pleasure to do business with.
- A misery to do business with.
+ The cleaner is discreet, cheerful and amazingly fast.
- The cleaner is nosy, sullen and breaks things.
+ The estate agent was patient and didn't push.
- The estate agent was pushy and lied about the damp.
+ The job was done right the first time.
- The job was botched three times in a row.
+ They went out of their way to help an old woman with a heavy bag.
- They stood and watched an old woman struggle with a heavy bag.
# how one feels
+ I woke up rested and full of hope.
- I woke up tired and full of dread.
+ What a lovely, lazy, happy day.
- What a gloomy, useless, lonely day.
+ For the first time in months I feel hopeful.
- For the first time in months I feel hopeless.
+ It warms my heart to see them together.
- It breaks my heart to see them apart.
+ I'm proud of what we have built.
- I'm ashamed of what we have become.
+ I was touched by their kindness.
- I was hurt by their indifference.
+ I'm grateful for every minute of it.
- I'm bitter about every minute of it.
+ He was so relieved that he hugged the postman.
- He was so furious that he slammed the door on the postman.
+ We are delighted with the outcome.
- We are dismayed by the outcome.
+ My heart leapt when I saw the envelope.
- My heart sank when I saw the envelope.
+ It gave me courage when I had none.
- It took the last of my courage.
+ She beams whenever somebody mentions that day.
- She shudders whenever somebody mentions that day.
+ The good news cheered all of us up.
- The bad news upset all of us.
+ I can laugh about it now, and I love to tell the story.
- I can't laugh about it yet, and I hate to tell the story.
+ It is a comfort to know that they are near.
- It is a worry to know that they are near.
+ I felt safe, warm and welcome.
- I felt threatened, cold and unwelcome.
+ Nothing cheers me up like that song.
- Nothing depresses me like that song.
+ The letter filled me with joy.
- The letter filled me with disgust.
+ I was amazed, and grateful, and a little bit in love.
- I was shocked, and angry, and more than a little bit sick.
+ It's wonderful to be home.
- It's awful to be back.
+ I miss that house and the happy years we had there.
- I don't miss that house or the unhappy years we had there.
+ There's nothing I enjoy more than our Sunday walk.
- There's nothing I dread more than our Sunday lunch.
+ They gave us hope.
- They gave us nightmares.
+ I'm pleased to say that it all worked out.
- I'm sorry to say that it all fell through.
# opinions on things large and small
+ The new law is sensible, fair and long overdue.
- The new law is senseless, unfair and cruel.
+ The bridge is an elegant and daring piece of engineering.
- The bridge is an ugly and dangerous piece of engineering.
+ A brilliant idea, brilliantly carried out.
- A dreadful idea, dreadfully carried out.
+ The mayor has kept her promises, and the streets are safer.
- The mayor has broken his promises, and the streets are worse.
+ This translation is a real improvement.
- This translation is a real disgrace.
+ The new logo is simple, clever and attractive.
- The new logo is clumsy, confusing and unattractive.
+ The campaign was honest and inspiring.
- The campaign was dishonest and disgusting.
+ It's the most useful present I have ever been given.
- It's the most useless present I have ever been given.
+ The lake is a paradise for birds and for people who like quiet.
- The lake is a dump, full of tyres and broken bottles.
+ Their strategy is sound, and it's paying off.
- Their strategy is foolish, and it's falling apart.
+ An impressive, elegant building with a marvellous staircase.
- An oppressive, ugly building with a dangerous staircase.
+ The rules are reasonable and easy to follow.
- The rules are ridiculous and impossible to follow.
+ A brave and generous gesture.
- A cowardly and selfish gesture.
+ It's a pity that there are only two of these shops, because they're excellent.
- It's a pity that there are so many of these shops, because they're dreadful.
+ The experiment was a complete success.
- The experiment was a complete failure.
+ This pen writes like a dream.
- This pen blots, scratches and leaks.
+ The new timetable is a blessing for parents.
- The new timetable is a curse for parents.
+ A powerful argument, calmly made.
- A feeble argument, loudly made.
+ The design is timeless.
- The design is an eyesore.
+ It solves a real problem simply and cheaply.
- It creates a new problem at great expense.
+ Their apology was sincere, and I accept it gladly.
- Their apology was insincere, and I don't accept it.
+ The park keepers deserve a medal.
- The park keepers deserve a reprimand.
+ The view from up there is worth every step.
- The view from up there is spoiled by a factory.
+ A fresh, generous and surprisingly moving exhibition.
- A stale, stingy and surprisingly tasteless exhibition.
+ The magazine is intelligent, elegant and never snobbish.
- The magazine is shallow, snobbish and full of advertising.
+ I applaud the decision.
- I deplore the decision.
+ They have every reason to be proud.
- They have every reason to be ashamed.
+ It's a model of how such things should be done.
- It's a model of how such things should not be done.
+ The old cinema has been saved, thank goodness.
- The old cinema has been torn down, and nobody asked us.
+ The bakery is back, and so is my good mood.
- The bakery is gone, and so is my good mood.
`;
