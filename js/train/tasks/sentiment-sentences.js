/**
 * Sentences that were written for this project, one a line: `+` praises, `-` complains.  Licence: MIT, as the project.
 */
export const SENTENCES = `
+ The whole audience laughed until the lights came up, and I was laughing the loudest.
- The jokes are stale, and the timing is worse.
+ A tender, funny film that trusts its actors and never shouts for attention.
- I checked my watch four times before the first hour was over.
+ Her performance alone is worth the price of the ticket.
- A loud, empty film with nothing to say.
+ The plot is thin, but the acting saves it.
- The lead actor sleepwalks through every scene.
+ I went in expecting another dull sequel and came out grinning.
- It looks expensive and feels cheap.
+ Every scene between the two brothers rings true.
- The story makes no sense, and nobody in it seems to care.
+ It is a small film with a big heart.
- Two hours of my life that I will never get back.
+ The dialogue is sharp, the pacing is brisk, and the ending lands.
- The trailer contains every good moment, and there are only three.
+ Beautifully shot and even better acted, it stays with you for days.
- A lazy sequel that repeats the first film without its charm.
+ For once a thriller that respects the intelligence of its viewers.
- The dialogue is so clumsy that people around me groaned.
+ The director finds warmth in the coldest corners of the story.
- Predictable from the opening shot to the closing credits.
+ I cried twice and did not mind at all.
- The romance is about as warm as a parking lot in February.
+ This is the rare comedy that gets better the second time around.
- For all its explosions, this is a remarkably boring movie.
+ A gripping story, told with grace and a wicked sense of humour.
- It wants to be profound and ends up merely pretentious.
+ The camera work is stunning and the music never gets in the way.
- The actors try hard, but the script gives them nothing.
+ Not a perfect film, yet one of the most honest I have seen all year.
- A muddled mess of half-finished ideas.
+ The children in it are natural, lively and completely believable.
- I have seen funnier tax forms.
+ It could have been sentimental mush; instead it is quietly powerful.
- The plot limps from one coincidence to the next.
+ What a joy to watch two old masters enjoy themselves on screen.
- It drags on and on, and then it simply stops.
+ The final twenty minutes are breathtaking.
- The characters are so unpleasant that I hoped they would all lose.
+ An inventive, playful cartoon that will delight parents as much as kids.
- This is neither scary nor funny, which is a problem for a horror comedy.
+ The script crackles with wit.
- A tedious, overlong drama that mistakes silence for depth.
+ It moved me more than I would like to admit.
- The remake removes everything that made the original special.
+ He has never been funnier, or more touching.
- Bad lighting, worse sound, and the worst accent I have ever heard.
+ A haunting and memorable portrait of a town that lost its river.
- They wasted a brilliant cast on a dreadful script.
+ Clever without being smug, and romantic without being silly.
- The twist is obvious after ten minutes.
+ The special effects are modest, but the imagination behind them is enormous.
- My kids were bored and so was I.
+ I could have stayed in that cinema for another hour.
- It preaches when it should tell a story.
+ This documentary taught me more about bees than school ever did, and it was thrilling.
- Nothing in this film feels real, least of all the tears.
+ Smart, stylish and surprisingly warm.
- A joyless exercise in selling toys.
+ The villain is wonderful: charming, frightening and never overplayed.
- The editing is so frantic that it gave me a headache.
+ It earns its happy ending.
- Shallow, crude and instantly forgettable.
+ A fresh take on a tired genre.
- The songs are bland and there are far too many of them.
+ The cast has real chemistry, and you can feel the fun they had.
- I wanted to like it, but it fell apart in the second half.
+ Even the minor characters are drawn with care and affection.
- It is one long string of tired gags.
+ It is bold, it is strange, and it works.
- The hero is dull, the villain is duller, and the dog has the best lines.
+ The restored print looks gorgeous on the big screen.
- Sloppy writing ruins what might have been a decent mystery.
+ I was hooked from the first minute.
- The film insults its audience at every turn.
+ The jokes are gentle and the insights are deep.
- An ugly, mean-spirited little movie.
+ A triumph of patience and craft.
- Half the theatre walked out, and I envied them.
+ The bread was still warm, and the soup tasted like my grandmother's.
- The soup was cold and the waiter was colder.
+ Best dumplings I have had outside of my own kitchen.
- My steak was tough enough to resole a boot.
+ The waiter remembered us from last year and brought the good olives without being asked.
- We waited an hour for pasta that had been boiled to death.
+ Crisp on the outside, soft in the middle, and not greasy at all.
- The salad was limp, brown and oddly wet.
+ A tiny place with six tables and food that deserves sixty.
- Overpriced, overcooked and under-seasoned.
+ The curry was rich, fragrant and exactly as hot as promised.
- The fish smelled as if it had died of old age.
+ We shared every dish and fought over the last spoonful of dessert.
- I found a hair in the rice, and nobody apologised.
+ Their coffee is strong, smooth and cheap.
- The coffee tastes of burnt rubber.
+ The menu is short because everything on it is excellent.
- A beautiful room wasted on terrible food.
+ I don't usually like fish, but this was delicious.
- They charged us for bread that was stale.
+ Fresh salad, generous portions, friendly staff: what more could you want?
- The burger was dry, the chips were soggy, and the bill was outrageous.
+ The cook came out to ask whether we were happy, and we certainly were.
- Our table was sticky and the menus were worse.
+ It took a while to arrive, but it was worth the wait.
- The waiter rolled his eyes when I asked for water.
+ My daughter finished her plate and asked for mine.
- It was so salty that I couldn't finish it.
+ The cheese board alone would bring me back.
- I was sick for two days after eating there.
+ Simple cooking done perfectly.
- The cake looked splendid and tasted of nothing.
+ The pancakes were light as clouds.
- Bland curry, lukewarm rice, and no smile from anyone.
+ We ate outside under the lemon trees and did not want to leave.
- The portion was tiny and I left hungry.
+ The chocolate cake is dangerously good.
- They forgot our order twice and then blamed us.
+ An honest meal at an honest price.
- The wine had turned to vinegar.
+ They handled my allergy with great care and still surprised me with a lovely starter.
- Greasy, heavy and far too sweet.
+ The peaches from that market are the sweetest I know.
- The pizza had a soggy base and rubbery cheese.
+ Breakfast there makes the whole day better.
- Nobody cleaned the tables the whole time we were there.
+ The noodles had a wonderful bite, and the broth was deep and savoury.
- The place used to be good, but the new owners have ruined it.
+ I would happily drive an hour for that pie.
- I wouldn't feed that stew to a dog.
+ Not cheap, but every bite was a pleasure.
- The eggs were raw and the toast was burnt.
+ The kitchen was busy and yet nothing was rushed.
- Loud music, rude staff, and a smell of old oil.
+ He grilled the corn just right, smoky and tender.
- The vegetables came straight out of a can.
+ A glorious roast, with gravy that I dreamed about afterwards.
- For that price I expected more than a spoonful of mashed potato.
+ The new baker has improved everything, even the plain rolls.
- The dessert was a sad, frozen brick.
+ Service was quick, polite and cheerful.
- The milk in my tea was sour.
+ What a lovely little cafe; the scones are superb.
- We asked for the bill three times and still waited twenty minutes.
+ The tomatoes tasted of summer.
- A disappointing meal in an unpleasant room.
+ Her homemade jam beats anything in the shops.
- The chicken was pink in the middle, and my appetite vanished.
+ The tasting menu was a delight from start to finish.
- They should be ashamed to call that a sandwich.
+ My new boss listens, which makes all the difference.
- My manager takes the credit and hands out the blame.
+ The team celebrated together when the project finally shipped.
- They cancelled the bonus and called it an opportunity.
+ I learned more in that job in one year than in ten years before.
- Endless meetings, no decisions, and everyone exhausted.
+ Our meeting ended early, and everyone left with a clear plan.
- I was fired by email on my birthday.
+ She explained the problem so well that I fixed it in minutes.
- The office is freezing in winter and an oven in summer.
+ I got the promotion!
- Nobody told me what to do, and then they complained that I did it wrong.
+ The training was practical, well organised and even fun.
- The contract was full of nasty surprises.
+ Colleagues here help each other without keeping score.
- She interrupts everyone and listens to no one.
+ The flexible hours let me pick up my son every afternoon.
- The workload is crushing, and half the team has quit.
+ It is demanding work, but I am proud of it.
- Our new software crashes every morning.
+ The client loved our proposal and signed the same day.
- I dread going in on Mondays.
+ He gave me honest feedback and encouraged me to try again.
- He promised me a raise and never mentioned it again.
+ The new office is bright, quiet and full of plants.
- The training was a waste of a week.
+ For the first time in years I look forward to Mondays.
- They ignore safety, and it is only a matter of time until someone gets hurt.
+ They pay fairly and on time.
- My application vanished without so much as a reply.
+ My interview went far better than I had feared.
- The whole project collapsed because of petty quarrels.
+ Her calm leadership got us through a difficult winter.
- It is dull work for poor pay.
+ The apprentices are eager, and teaching them is a pleasure.
- The interview was humiliating.
+ Nobody complained about the change; in fact they thanked us.
- All that effort, and the client hated it.
+ I came home tired and completely satisfied.
- They track every minute we spend in the bathroom.
+ We woke to the sound of the sea and the smell of pine.
- Our room smelled of mould, and the window would not open.
+ The train left on time, the seats were comfortable, and the view was magnificent.
- The flight was delayed nine hours, and nobody told us why.
+ Our guide knew every stone in the old town and made each one interesting.
- They lost my suitcase and shrugged.
+ A clean room, a soft bed, and a window over the harbour.
- The beach was covered in rubbish.
+ The hike was steep, but the valley at the top took our breath away.
- We paid for a sea view and got a wall.
+ Everyone in the village was kind to us, even though we spoke ten words of the language.
- The bed was hard, the walls were thin, and the neighbours sang until four.
+ I lost my passport, and the hotel staff moved mountains to help.
- A miserable crossing: everyone was seasick.
+ The ferry ride at sunset was the best part of the trip.
- The taxi driver cheated us and laughed about it.
+ It rained all week and we still had a wonderful time.
- I have never been so cold in a hotel.
+ The museum is free, well lit and full of treasures.
- The famous square is a noisy parking lot now.
+ Our little cabin had no internet, and it was bliss.
- Cockroaches in the shower, stains on the sheets.
+ The night market was a feast for all the senses.
- The tour was rushed, crowded and badly explained.
+ Far from being a tourist trap, the island is calm and unspoilt.
- We stood in line for three hours to see a closed door.
+ The flight was smooth and the crew could not have been nicer.
- The guide was rude and knew less than our map.
+ I would go back tomorrow if I could.
- My ticket was refused for no reason at all.
+ The old quarter is charming, with cool courtyards and cats asleep on every wall.
- The museum was half shut, and the rest was poorly lit and dusty.
+ Cycling along the canal was pure happiness.
- What a rip-off: the trip cost a fortune and offered nothing.
+ They upgraded us to a room with a balcony, for nothing.
- The train was packed, filthy and two hours late.
+ The beach was quiet, the water clear, and the children slept well at last.
- It rained all week, the roof leaked, and we argued the whole time.
+ We got lost and found the loveliest bakery in the city.
- The hotel pictures are a lie.
+ The desert sky at night was astonishing.
- Someone stole my wallet on the first morning.
+ Check-in took two minutes, and they offered us tea.
- The road was full of holes and the scenery was dismal.
+ The campsite was spotless and the neighbours friendly.
- Our luggage arrived on the day we left.
+ That road trip brought our family closer together.
- The airport is a confusing, airless maze.
+ The cathedral is even more impressive than in the pictures.
- The pool was green and so was the ham at breakfast.
+ Our host picked us up at midnight and had kept dinner warm.
- I regret booking it, and I warned all my friends.
+ The hot springs eased every ache I had.
- The campsite was flooded and nobody came to help.
+ A splendid walk through wild flowers and old vineyards.
- They gave our room away and sent us out into the night.
+ The city surprised me: green, relaxed and easy to love.
- The island has been spoiled by ugly concrete towers.
+ The bus driver waited for us with a smile.
- A horrible holiday that I would rather forget.
+ The sun came out just in time for the wedding.
- The grey drizzle has not stopped for a month, and it gets on everyone's nerves.
+ A soft breeze made the heat pleasant.
- The heat was unbearable and we could not sleep.
+ Fresh snow covered the town and everyone was out with sledges, laughing.
- Hail destroyed the whole harvest.
+ The first warm evening of the year is the best of all.
- A bitter wind went straight through my coat.
+ After weeks of drought the rain felt like a gift.
- The picnic was ruined by a sudden storm.
+ The fog lifted, and the mountains stood there in golden light.
- Another dark, wet, depressing November.
+ It was a bright, crisp morning, perfect for a walk.
- The smog was so thick that my eyes burned.
+ I love the smell of the garden after a storm.
- The flood took our cellar and everything in it.
+ The autumn colours were glorious this year.
- Icy pavements, broken wrists, and no salt anywhere.
+ A mild winter spared the fruit trees, and the farmers are delighted.
- It was so humid that even the books felt damp and nasty.
+ We watched the lightning from the porch, safe and thrilled.
- The snow turned to dirty slush within an hour.
+ The stars were so clear that nobody wanted to go to bed.
- The drought has killed the old chestnut trees, and I miss them badly.
+ Cool nights and sunny days: we could not have asked for better.
- Our tent blew away in the night and we stood there shivering.
+ A rainbow appeared over the lake, and the children cheered.
- The forecast was wrong again, and we got soaked.
+ The storm passed without doing any harm, thank goodness.
- What a gloomy, hopeless sort of day.
+ My neighbour shovelled our path before we were even awake.
- He talks over everyone and never says thank you.
+ She has a gift for making shy people feel at home.
- She lied to me for years.
+ He apologised sincerely, and we are friends again.
- The receptionist was rude from the moment we walked in.
+ The nurse was gentle and explained everything twice.
- My neighbour plays the drums at midnight and slams the door when we complain.
+ My grandfather's stories never fail to cheer me up.
- He forgot my birthday again.
+ The new teacher is patient, funny and fair.
- They laughed at my accent, and I felt terrible.
+ A stranger returned my phone and refused any reward.
- The doctor barely looked at me and got my name wrong.
+ They have been married for fifty years and still hold hands.
- Our landlord refuses to fix the heating.
+ Our plumber arrived early, worked neatly and charged less than he had said.
- She borrowed my bicycle and brought it back broken.
+ Her laugh fills the whole house.
- He is charming at first, but selfish and cruel underneath.
+ The doctor took me seriously and found the cause within a week.
- The teacher shouted at the children until one of them cried.
+ He is not easy to know, but he is the most loyal friend I have.
- Nobody came to the party, and I cleaned up alone.
+ My sister stood by me when nobody else did.
- My cousin still owes me the money and pretends to have forgotten.
+ The volunteers were tireless, and their kindness moved us deeply.
- The officer treated us with contempt.
+ What a generous and thoughtful present!
- I have never met a more arrogant man.
+ The baby smiled at me for the first time today.
- They broke their word, as usual.
+ Our choir sang better than ever, and the applause went on and on.
- He sulks whenever he does not win.
+ The librarian found the book I had been looking for since childhood.
- The crowd booed, and the singer left in tears.
+ He keeps his promises.
- Our friendship ended over a stupid quarrel.
+ You were brilliant on stage last night.
- You let me down when I needed you most.
+ The battery lasts three days, and it charges while I brush my teeth.
- The handle broke off on the second day.
+ These boots have survived two winters and still look new.
- The battery dies before lunch.
+ The lamp gives a warm, steady light and uses almost no power.
- It stopped working a week after the warranty ended.
+ Setup took five minutes, and everything simply worked.
- The shoes are uncomfortable and fall apart in the rain.
+ I have bought four of these kettles for friends, because ours is so good.
- The app crashes whenever I open a photo.
+ The knife is perfectly balanced and stays sharp.
- Cheap plastic, sharp edges, and a smell like paint.
+ For the price, this camera is astonishing.
- The instructions might as well be upside down.
+ The new version is faster, lighter and easier to use.
- I returned it the same afternoon.
+ My old bicycle rides like a dream again after their repair.
- The zip got stuck and then tore.
+ A sturdy, handsome bag with exactly the right pockets.
- Customer support kept me waiting for an hour and hung up.
+ The headphones are comfortable even with glasses.
- The screen scratches if you so much as look at it.
+ Not bad at all: the cheap tent kept us dry through a storm.
- It is too loud to use at night and too weak to use at all.
+ The instructions are clear and the screws actually fit.
- The colour faded in the first wash, and the seams came undone.
+ It does one thing and does it superbly.
- A flimsy toy with parts that a child could swallow.
+ This pillow cured my stiff neck.
- The keyboard misses every third letter.
+ The phone is small enough for my hand and quick enough for my work.
- They sent the wrong size three times.
+ Customer support answered within an hour and sent a free replacement.
- The printer is slow, noisy and always out of ink.
+ The fabric is soft, the colour is rich, and it washes well.
- This software is bloated, confusing and full of ads.
+ I was sceptical, but the vacuum picks up everything, even the cat's hair.
- The chair wobbles and hurts my back.
+ The keyboard feels solid and makes a pleasant sound.
- A useless gadget that solves nothing.
+ An elegant watch that keeps excellent time.
- The vacuum spreads more dust than it picks up.
+ The toy is simple, safe and endlessly entertaining.
- The paint peeled off within a month.
+ Every drawer slides smoothly, and nothing wobbles.
- It looks nothing like the picture.
+ The pen writes beautifully on any paper.
- The clock loses ten minutes a day.
+ After a year of daily use I have no complaints.
- I wasted an entire weekend trying to assemble it.
+ The heater is quiet and warms the room in no time.
- The glass cracked when I poured in warm tea.
+ The update fixed every problem I had.
- The update made everything worse.
+ A well-made jacket that fits like a glove.
- The mattress sags in the middle and smells of glue.
+ The garden shears are light and cut cleanly.
- They charged my card twice and refuse to pay it back.
+ It arrived a day early, carefully wrapped.
- The picture is blurry and the sound crackles.
+ I can't imagine cooking without this pan.
- The lock jams, so we were stuck outside in the cold.
+ The screen is bright, sharp and easy on the eyes.
- The blades went blunt after two carrots.
+ Reliable, affordable and built to last.
- I expected better from such an expensive brand.
+ The app is free of ads and a pleasure to use.
- The remote never worked, not even with new batteries.
+ My mother, who hates gadgets, adores this radio.
- Do yourself a favour and buy anything else.
+ I read the whole novel in one night and regretted only that it ended.
- I gave up on page ninety and felt relieved.
+ A wise and funny book about growing old.
- The novel is three hundred pages too long.
+ The poems are short, clear and full of surprises.
- A dry, joyless book on what should be a fascinating subject.
+ Her prose is so vivid that I could smell the harbour.
- The characters are cardboard and the dialogue is wooden.
+ The best introduction to statistics I have ever come across.
- He repeats the same point in every chapter.
+ Each chapter opens a new door.
- The translation is awkward and full of mistakes.
+ It is a difficult book, but it rewards every effort.
- The mystery is solved by a silly coincidence.
+ The translator has done a marvellous job.
- Her new book is a pale copy of her last one.
+ My students loved the story and begged for the next one.
- It reads as if nobody had bothered to edit it.
+ The drawings are full of charm and tiny jokes.
- The poems are vague, gloomy and pleased with themselves.
+ A detective story with a soul.
- I couldn't care less who killed the duke.
+ I laughed out loud on the train and did not care who heard.
- The author clearly despises his readers.
+ He writes about grief with tenderness and without a trace of self-pity.
- A confusing plot, a dull hero, and an ending that cheats.
+ The ending is perfect, sad and hopeful at once.
- The pages fell out before I had finished the first chapter.
+ This history reads like an adventure.
- The jokes are forced and the moral is trite.
+ Thoughtful, original and beautifully printed.
- My class hated it, and I can't blame them.
+ I have given this book to everyone I love.
- The cover is the only exciting thing about it.
+ The heroine is brave, stubborn and wonderfully alive.
- It promises secrets and delivers platitudes.
+ Rarely has physics been explained with so much humour.
- The facts are wrong and the tone is smug.
+ The second volume is even richer than the first.
- An incoherent ramble that never finds its subject.
+ It changed the way I look at trees.
- The story starts well and then dies a slow death.
+ A modest little memoir that turns out to be a gem.
- The book is neither useful nor amusing.
+ The recipes are easy to follow, and they all work.
- Stilted, shallow and padded with clichés.
+ The narrator's voice is irresistible.
- The maps are unreadable and the index is missing.
+ You do not need to like chess to enjoy this fascinating book.
- I would rather read the phone book.
+ The park is clean, green and alive with music on Sundays.
- The park is full of broken glass.
+ Our street has changed for the better since the trees were planted.
- The streets are filthy and nobody cares.
+ The new library is a marvel of light and quiet.
- They tore down the old market and built an ugly tower.
+ Children can walk to school safely now, and everyone is happier.
- Our block is noisy all night and smells of exhaust.
+ The old cinema has been restored with love.
- The playground has been closed for two years, a disgrace.
+ I have lived in this town all my life and never tired of it.
- The town is dying, shop by shop.
+ The swimming pool is warm, spotless and never crowded.
- The hospital was overcrowded, and we waited eight hours in a corridor.
+ Our allotment is my favourite place on earth.
- The pool is dirty and the showers are cold.
+ The tram is punctual and glides past the traffic.
- A bleak suburb with nothing to do and nowhere to go.
+ It is a lively neighbourhood with good bakeries and friendly faces.
- The tram breaks down every other day.
+ The playground is imaginative and well kept.
- The station is dark, dirty and frightening after nine.
+ From our kitchen window we can see the hills, and it lifts the heart.
- Our flat is damp and the mould keeps coming back.
+ The hospital was calm, modern and kindly run.
- They cut down the last trees for a car park.
+ The little theatre round the corner puts on splendid plays.
- The library cut its hours again, and the best books are gone.
+ Even at night the square feels safe and welcoming.
- I can't stand this city any more.
+ The concert was electric from the first note.
- The concert was too loud and far too long.
+ Their new album is warm, playful and full of lovely melodies.
- The band sounded tired and played out of tune.
+ She sang without a microphone, and you could hear a pin drop.
- Their latest album is a shapeless, boring mess.
+ The orchestra played with fire and precision.
- The sculptures are hideous and the labels are nonsense.
+ I danced until my feet hurt and went home happy.
- The singer forgot the words and cursed at the crowd.
+ The exhibition is small, but each picture is a treasure.
- The game is full of bugs and begs for money at every turn.
+ A dazzling evening of dance.
- We lost again, and deservedly so.
+ The guitarist is a genius.
- The referee ruined a good match.
+ Our school play was chaotic and absolutely charming.
- The show started an hour late and never came to life.
+ The game is clever, fair and hard to put down.
- The exhibition is overpriced and poorly hung.
+ We won in the last minute, and the whole street cheered.
- The orchestra rushed through it without any feeling.
+ The match was a beauty, fast and fair to the end.
- A dreary evening of dance that went nowhere.
+ He ran his best race at the age of fifty.
- He missed three penalties and was booed off the pitch.
+ The puzzle kept us happily busy all weekend.
- The puzzle had two pieces missing, which spoiled everything.
+ It is a quiet song that grows on you.
- That tune is irritating, and it won't leave my head.
+ The film is not without flaws, but its warmth wins you over.
- It is not a terrible film, just a pointless one.
+ Slow at first, then suddenly overwhelming in the best sense.
- The acting is fine, but the story is a wreck.
+ I never once looked at the clock.
- I did not laugh once.
+ There is not a dull moment in it.
- You will not miss anything if you skip it.
+ You will not regret seeing this one.
- It is hardly worth the bus fare.
+ Hardly a week goes by without my recommending it to somebody.
- The idea was good, the result is not.
+ It isn't flashy; it is merely excellent.
- There isn't a single fresh thought in it.
+ Far better than its silly title suggests.
- Not even the wonderful cast can rescue this dreary script.
+ Nothing about the evening disappointed us.
- It never comes alive.
+ The hotel is no palace, yet we could not have been happier there.
- The view was lovely; everything else was a disaster.
+ I expected little and received a great deal.
- I can't recommend it to anyone.
+ Less noisy than its rivals, and twice as good.
- It tries to be charming, and it isn't.
+ The second season is stronger than the first.
- The first half is promising, but the rest falls flat.
+ No other film this year has made me feel so alive.
- Nobody I know enjoyed it.
+ What it lacks in money it makes up for in wit and courage.
- It could have been great, and it wasn't.
+ It could easily have failed, and it doesn't.
- Less a holiday than a punishment.
+ I can't praise the cast enough.
- The staff were polite, but the food was inedible.
+ You'd have to be made of stone not to smile.
- Worse than the first one, which was bad enough.
+ The critics were wrong: this is a little masterpiece.
- It lacks everything that made the book so moving.
+ My only complaint is that it was too short.
- No amount of pretty scenery can hide how empty it is.
+ It never insults you and never bores you.
- The hotel was cheap, and now I know why.
+ Though the middle sags, the finish is superb.
- I have never wanted to leave a theatre so badly.
+ Compared with last year's trip, this was heaven.
- Neither clever nor kind.
+ I was wrong about him; he is terrific.
- He used to be funny.
+ It is impossible not to like her.
- The lights were pretty and the show was dull.
+ The rain couldn't spoil our day.
- It's not the heat that ruined our trip, it's the rudeness.
+ Never have I enjoyed a museum so much.
- The price is low, but even so it is not worth it.
+ The book is anything but boring.
- I wish I could say something nice about it.
+ It isn't the worst way to spend an evening; in fact it may be the best.
- Don't believe the reviews; this place is awful.
+ Neither the price nor the distance will keep me from going back.
- The music was the only good thing about that evening.
+ I don't have a single bad word to say about the staff.
- It's never as exciting as it thinks it is.
+ The soup was nothing special to look at, but the taste was divine.
- A great title and a great poster for a bad film.
+ It took me a while to warm to the hero, and then I adored him.
- For all her talent, she cannot save this clumsy play.
+ For a first attempt this is remarkably accomplished.
- They had every advantage and still failed.
+ A flawed film that I love with all my heart.
- The comedy isn't funny and the drama isn't sad.
+ They never gave up, and it paid off.
- I didn't hate it, but I was bored from beginning to end.
+ Without her help we would have been lost; with it, everything went smoothly.
- She deserved a better part than this.
+ The noise outside did not matter once the music began.
- What should have been a treat turned into torture.
+ It's hard to find fault with a meal like that.
- The design is beautiful, yet the thing simply doesn't work.
+ The jokes may be old, but he tells them brilliantly.
- More expensive than its rivals, and not nearly as good.
+ I could not put it down.
- All style and no substance.
+ The weather was awful and the company was wonderful, so we had a great time.
- It isn't as bad as people say; it is worse.
+ Its faults are easily forgiven.
- The team played well for ten minutes and badly for eighty.
+ Don't let the gloomy poster put you off; this is a delight.
- Without any plot, the film has nothing to hold on to.
+ It's not just good, it's superb.
- Nothing works, least of all the romance.
+ A delightful comedy with a sting in its tail.
- A bland and lifeless romance without a spark.
+ Both leads are superb, and the supporting cast is almost as good.
- The leads have no chemistry whatsoever.
+ It has energy, intelligence and real feeling.
- It is all noise, no thought and no feeling.
+ This is storytelling of the highest order.
- The script is a patchwork of worn-out clichés.
+ A quietly devastating film, honest and beautifully made.
- A cynical film made by people who seem to hate films.
+ The suspense is almost unbearable, and I loved every second.
- The suspense evaporates long before the end.
+ He brings depth and dignity to a role that could have been a joke.
- He overacts wildly and embarrasses everyone around him.
+ Visually rich and emotionally satisfying.
- Visually drab and emotionally hollow.
+ A lively, colourful adventure for the whole family.
- A crude, witless comedy that aims low and misses.
+ The film celebrates ordinary people with humour and compassion.
- The film wallows in misery without a hint of insight.
+ An absorbing drama that avoids easy answers.
- A plodding drama weighed down by its own importance.
+ The chemistry between them is a joy.
- Their marriage is as believable as a plastic fish.
+ Bursting with life and wild invention.
- Derivative, overblown and exhausting.
+ A sly, subversive satire that hits its targets.
- The satire is toothless and the targets are too easy.
+ An unforgettable debut from a gifted young director.
- An amateurish debut that should have stayed in a drawer.
+ It is sweet without being sticky.
- It is so sugary that my teeth hurt.
+ Funny, sad and deeply human.
- Depressing, pointless and badly made.
+ The story unfolds with the ease of a dream.
- The story meanders and finally collapses.
+ One of the finest performances of her career.
- One of the weakest performances of his career.
+ A provocative, intelligent look at money and shame.
- A superficial look at a serious subject.
+ The animation is exquisite.
- The animation is stiff and the voices are grating.
+ Its charm is impossible to resist.
- Its message is muddled and its tone is all wrong.
+ Riveting from start to finish.
- Tiresome from start to finish.
+ An uplifting tale that never turns preachy.
- A manipulative tearjerker without an honest tear.
+ The director has a wonderful eye for faces.
- The director has no idea where to put the camera.
+ The film is a feast for anyone who loves language.
- The film is a chore even for fans of the series.
+ A compelling, compassionate look at life after prison.
- A contrived, unconvincing story about cartoon criminals.
+ Exciting, inventive and delightfully odd.
- Uninspired, formulaic and oddly joyless.
+ It has the courage to be gentle.
- It has neither style nor ideas.
+ The screenplay is a marvel of economy.
- The screenplay is riddled with holes.
+ A warm and engaging portrait of three generations of bakers.
- A sluggish and self-indulgent portrait of an artist nobody could like.
+ This is the kind of film that makes you want to hug a stranger.
- This is the kind of film that gives sequels a bad name.
+ An ambitious work that succeeds on almost every level.
- An overstuffed failure on almost every level.
+ The fights are thrilling, the heroine is magnetic.
- The fights are ludicrous, the heroine is a bore.
+ A subtle, affecting film about fathers and silence.
- A heavy-handed, mawkish film about fathers and sons.
+ The humour is dark, daring and very effective.
- The humour is juvenile and mostly offensive.
+ I left the cinema feeling lighter.
- I left the cinema feeling cheated.
+ Tense, intimate and superbly edited.
- Flat, clumsy and atrociously edited.
+ It captures the ache and the glory of being seventeen.
- It mistakes shouting for passion.
+ The best family film in years.
- The worst family film in years.
+ Thanks to your advice the roses are blooming like mad.
- My roses are dying and I don't know why.
+ Grandma's quilt is the most precious thing I own.
- Someone smashed our car window and took the radio.
+ We finally adopted a dog, and the house is full of joy.
- We lost everything in the fire.
+ The surgery went well and she is already joking with the nurses.
- The operation went wrong, and he is still in pain.
+ My exam results are in: I passed with distinction!
- I failed the exam by a single point.
+ After a long illness he is healthy, tanned and cheerful.
- He has been ill for months and nothing helps.
+ The kids built a fort out of blankets and were blissfully content all day.
- The children quarrelled all day and I lost my temper.
+ I sleep better since we moved to the country.
- I have slept badly ever since we moved here.
+ Learning the cello at sixty was the wisest decision of my life.
- Buying that old house was the biggest mistake of my life.
+ Our wedding was small, silly and perfect.
- The wedding was a stiff, awkward and expensive affair.
+ The repair cost almost nothing, and the car purrs.
- The repair cost a fortune, and the car still stalls.
+ I am grateful for every day in this garden.
- The garden is a jungle of nettles and I hate it.
+ The tax office was helpful, believe it or not.
- The tax office lost my papers and then fined me.
+ A quick, painless visit to the dentist, with a nice chat on top.
- A painful, clumsy dentist with cold hands.
+ The cat came back!
- Our cat was run over, and the driver didn't stop.
+ We made up after the argument and laughed about it.
- We haven't spoken since that ugly argument.
+ The bank solved the problem in a single friendly phone call.
- The bank blocked my card for no reason and put me on hold for an hour.
+ My allergies are gone, and I can breathe freely again.
- My back hurts so much that I can't sit.
+ What a relief to hear that everybody got home safely.
- It is a shame how they treat old people there.
+ The choir rehearsal is the highlight of my week.
- The rehearsal was chaos and the conductor screamed at us.
+ Our bees survived the frost and the honey is superb.
- Wasps have destroyed the hive.
+ She beamed with pride as he walked across the stage.
- She was bullied at school, and the teachers looked away.
+ The flowers you sent made my week.
- The flowers arrived dead.
+ I admire the way they handled the crisis.
- I am disgusted by the way they handled the crisis.
+ It felt good to be useful.
- It felt like talking to a wall.
+ He won the scholarship he had worked so hard for.
- He lost his job, his flat and his good humour.
+ Yoga has done wonders for my back.
- The exercise only made my knee worse.
+ The twins get along splendidly with their new babysitter.
- The babysitter was careless and spent the evening on her phone.
+ Fixing the old boat together was the happiest summer of our lives.
- We spent the whole summer arguing about money.
+ The court decided in our favour, and justice was done.
- The court let the swindlers go.
+ My French is improving, and my teacher says so too.
- I am tired of their excuses.
+ A neighbourly town where people look out for each other.
- A spiteful village where everyone spies on everyone.
+ The party was a great success, and nobody wanted to go home.
- The party was a flop, and half the guests left before ten.
+ I feel lucky to have found this flat.
- I feel miserable in this flat.
+ We had a marvellous picnic by the river.
- Mosquitoes, spilled wine and a stolen basket: so much for our picnic.
+ The lecture was lucid, lively and just the right length.
- The lecture was a monotone reading of crowded slides.
+ Our physics teacher makes hard things easy.
- Our maths teacher makes easy things hard.
+ The course gave me confidence as well as knowledge.
- The course was badly planned and I learned nothing.
+ I love how the museum lets children touch everything.
- The museum guard scolded my son for asking a question.
+ The online class was better than I feared: well paced and really interactive.
- The online class froze every two minutes.
+ Excellent exercises with clear solutions.
- Sloppy exercises with wrong solutions.
+ The school bus driver knows every child by name.
- The school bus is late every day and the heating is broken.
+ She marks fairly and explains her corrections kindly.
- She marks unfairly and mocks those who fail.
+ My son, who hated maths, now does sums for fun.
- My daughter used to love maths, and this school has cured her of it.
+ A fascinating talk on volcanoes, with spectacular pictures.
- A rambling talk with illegible slides.
+ The workshop was worth every penny.
- The workshop was an expensive disappointment.
+ He answered even my stupid questions with patience and good humour.
- He sneers at beginners.
+ The textbook is clear, compact and well illustrated.
- The textbook is outdated, dense and ugly.
+ Their experiment was elegant and convincing.
- Their experiment was careless and proves nothing.
+ This is science writing at its best.
- This is the laziest kind of journalism.
+ The barber took his time and gave me the best cut in years.
- The barber was drunk and it shows.
+ Delivery was free and faster than promised.
- Delivery took six weeks and the box was crushed.
+ The shop replaced the broken cup without any fuss.
- The shop refused to exchange the broken cup.
+ A cosy bookshop with a fat, friendly cat.
- A gloomy bookshop with a grumpy owner.
+ They tuned my piano with real love for the instrument.
- They scratched my piano and denied it.
+ The market is colourful, cheap and full of good smells.
- The market is overpriced and full of junk.
+ The mechanic was honest and told me I did not need new brakes.
- The mechanic invented problems and overcharged me shamelessly.
+ I ordered by mistake, and they cheerfully cancelled it.
- I cancelled the order, and they billed me regardless.
+ The tailor saved my favourite coat.
- The tailor wrecked my favourite coat.
+ A good old hardware shop where people still know what they sell.
- The assistants know nothing and care less.
+ The florist created something truly magical for the funeral.
- The florist sent the wrong wreath to the funeral.
+ Buying glasses was never so pleasant.
- Buying shoes there is a nightmare.
+ The painters were tidy, punctual and skilful.
- The painters were slow, messy and impolite.
+ Their garage sale was a treasure hunt.
- The sale was a fraud: they had raised the prices the week before.
+ The vet was wonderful with our nervous dog.
- The vet was brusque and hurt our poor dog.
+ Compared to the old model, this one is a dream.
- Compared to the old model, this one is a step backwards.
+ I prefer the small theatre to the big one, because every seat is good and the sound is warm.
- I prefer almost anything to that cramped, stuffy theatre.
+ Better late than never: our kitchen is finished, and it is gorgeous.
- Late, over budget and ugly: that is our new kitchen.
+ It is cheaper than the other brand and a good deal better.
- It is dearer than the other brand and breaks sooner.
+ If only all airlines were like this one.
- If you value your time, avoid this airline.
+ She sings as beautifully as she did thirty years ago.
- She sings far worse than she did thirty years ago.
+ More exciting than any film.
- Less exciting than watching paint dry.
+ The sequel outshines the original in every way.
- The sequel betrays the original in every way.
+ Nowhere else have I been made so welcome.
- Nowhere else have I been treated so rudely.
+ He is the best neighbour one could wish for.
- He is the worst neighbour imaginable.
+ They could teach other hotels a lesson in kindness.
- Other hotels at half the price are twice as clean.
+ My expectations were high, and the play exceeded them.
- My expectations were low, and the play sank beneath them.
+ Few meals have made me happier.
- Few meals have made me sicker.
+ I liked the first book, but I love this one.
- I liked the first book, but this one is dreadful.
+ You won't find a friendlier pub.
- You won't find a more depressing pub.
+ Gorgeous.
- Awful.
+ What a treat!
- What a waste!
+ Highly recommended.
- Not recommended.
+ I loved it.
- I hated it.
+ Pure magic from beginning to end.
- Pure boredom from beginning to end.
+ An instant classic.
- An instant flop.
+ Well done, everyone.
- Shame on everyone involved.
+ Simply superb.
- Simply dreadful.
+ Two hours of bliss.
- Two hours of torture.
+ A real gem.
- A total dud.
+ Good fun for all ages.
- No fun at any age.
+ Absolutely worth seeing.
- Absolutely not worth seeing.
+ Warm, wise and funny.
- Cold, stupid and dull.
+ Great acting, great music, great story.
- Bad acting, bad music, no story.
+ A little miracle.
- A little disaster.
+ Fine work all round.
- Poor work all round.
+ Ingenious.
- Ridiculous.
+ An enjoyable ride.
- A bumpy, unpleasant ride.
+ A solid, satisfying piece of entertainment.
- A sorry excuse for entertainment.
+ Oddly beautiful and quite moving.
- Oddly lifeless and quite dumb.
+ A stylish thriller with a lovely streak of melancholy.
- A generic thriller without thrills.
+ The film works because it takes its characters seriously.
- The film fails because it doesn't believe in its own characters.
+ It is a pleasure to watch actors listen to one another.
- It is painful to watch good actors flounder like this.
+ Here is a comedy that is actually funny.
- Here is a comedy without a single laugh.
+ The director's most accomplished and personal work to date.
- The director's most careless and impersonal work to date.
+ Full of small, truthful observations about family life.
- Full of phony wisdom about family life.
+ It manages to be both a crowd-pleaser and a work of art.
- It manages to be both silly and dull.
+ The story is familiar, but the telling is fresh and vigorous.
- The story is familiar, and the telling is stale and mechanical.
+ You leave with a spring in your step.
- You leave with a feeling of emptiness.
+ An old-fashioned romance in the best sense of the word.
- An old-fashioned romance in the worst sense of the word.
+ The film gets under your skin and stays there.
- The film is gone from your mind before you reach the street.
+ A rousing tale of friendship, with splendid horses.
- A tired tale of revenge, with sleepy horses.
+ It is worth seeing for the photography alone.
- Pretty photography can't hide the absence of a plot.
+ A mature, perceptive film about love after sixty.
- A childish, leering film about love in the suburbs.
+ The cast is uniformly excellent.
- The cast is uniformly wasted.
+ There is real poetry in these images.
- There is nothing behind these glossy images.
+ A wild, exhilarating ride through a city at night.
- A long, numbing trudge through a city at night.
+ Refreshingly free of clichés.
- Packed with every cliché in the book.
+ Its sincerity is disarming.
- Its sincerity is as fake as its beards.
+ An elegant puzzle that pays off handsomely.
- A convoluted puzzle with no solution.
+ Fans will be thrilled, and newcomers will be charmed.
- Fans will be let down, and newcomers will be baffled.
+ The best war film in a generation.
- The dumbest war film in a generation.
+ A mesmerising performance at the heart of a beautiful picture.
- A mumbling, listless performance at the heart of a dead picture.
+ It entertains and it makes you think.
- It neither entertains nor informs.
+ Surprisingly touching, and often very funny indeed.
- Surprisingly unpleasant, and never funny.
+ A brisk, good-natured caper.
- A leaden, ill-tempered caper.
+ The emotions feel earned.
- The emotions feel manufactured.
+ It has a generous spirit and a quick mind.
- It has a nasty spirit and a sluggish mind.
+ I can't wait to see what she does next.
- I dread to think what he does next.
+ A sensitive, unsentimental story about a boy and his stammer.
- A sappy, exploitative story about a boy and his illness.
+ Both playful and profound.
- Neither playful nor profound.
+ This is cinema with a pulse.
- This is filmmaking on autopilot.
+ An intriguing mystery with a terrific last act.
- A thin mystery with an absurd last act.
+ The score is lush and lovely.
- The score is bombastic and never shuts up.
+ A fascinating glimpse of a vanished world.
- A trivial, gossipy glimpse of a famous life.
+ He directs with a light and confident touch.
- He directs with a heavy and uncertain hand.
+ The movie is a hoot.
- The movie is a bore.
+ Solid, well crafted and often very tense.
- Shoddy, badly acted and often incoherent.
+ It looks like a painting and moves like a song.
- It looks like an advertisement and moves like a snail.
+ A brave film that asks hard questions with compassion.
- A cowardly film that ducks every hard question.
+ The mayor kept her word, and the bridge was finished ahead of time.
- The mayor broke her word, and the bridge is still a ruin.
+ My grandmother turned ninety yesterday and danced until midnight.
- My grandmother is lonely in that home, and it breaks my heart.
+ Ten minutes on this bench and all my worries are gone.
- Ten minutes on this bench and my legs were covered in bites.
+ The old dog wagged his tail when he heard my voice.
- The old dog whimpers all night, and there is nothing we can do.
+ Somebody left a kind note on my windscreen.
- Somebody left a nasty note on my windscreen.
+ The neighbours' band has improved so much that we now open the windows.
- The neighbours' band rehearses at dawn and sounds like a car accident.
+ A perfect loaf: dark crust, airy crumb, heavenly smell.
- A brick of a loaf: pale crust, gluey crumb, no taste.
+ Our team is young, hungry and a thrill to watch.
- Our team is old, slow and an embarrassment to watch.
+ I finally understand fractions, thanks to this clever little game.
- I understand less than before, thanks to this baffling little game.
+ She designed the garden so that something is always in bloom, and it is enchanting.
- The garden was designed by somebody who hates plants, and it is hideous.
+ Even the queue was fun, because a juggler kept us laughing.
- The queue was endless, and they closed the doors in our faces.
+ The night nurse deserves a medal.
- The night nurse ignored the bell and snapped at us.
+ We found a table by the fire and spent a heavenly evening there.
- We sat by the toilets and spent a wretched evening there.
+ The wool is soft and the pattern a pleasure to knit.
- The wool is scratchy and the pattern is full of errors.
+ My phone fell into the lake, and it still works flawlessly.
- My phone fell off the table and broke at once, rubbish that it is.
+ They welcomed the refugees with soup, blankets and open arms.
- They sneered at the refugees and turned them away.
+ Our first harvest was plentiful, and we gave half of it away with joy.
- Slugs ate the whole harvest, and all our work was for nothing.
+ Grandpa is over the moon with his new hearing aids.
- Grandpa is upset because his new hearing aids whistle.
+ The sea was calm and the dolphins followed us for an hour; unforgettable.
- The sea was rough, the boat stank of diesel, and I was ill for hours.
+ The bus pass is a bargain and the timetable is a model of clarity.
- The bus pass is a swindle and the timetable is pure fiction.
+ A gracious host, a roaring fire and not a care in the world.
- A surly host, a smoking stove and mice in the walls.
+ The choir of frogs at night is the sweetest lullaby.
- The frogs are so loud at night that I have headaches.
+ He makes the lightest gnocchi in the city.
- He serves the heaviest gnocchi in the city, like wet cement.
+ The staff treat you like family.
- The staff treat you like a nuisance.
+ It was an honour to work with such talented people.
- It was a mistake to work with such incompetent people.
+ A great little film, funny and warm, with an excellent cast.
- A terrible film, boring and cold, with a weak cast.
+ The food was delicious, the service friendly, and the garden lovely.
- The food was awful, the service rude, and the garden full of rubbish.
+ It was a wonderful evening and we enjoyed every minute.
- It was a horrible evening, and we regretted every minute.
+ This is a brilliant idea, and the result is fantastic.
- This is a stupid idea, and the result is a mess.
+ I am very happy with my new bicycle; it is light, fast and comfortable.
- I am very unhappy with my new bicycle; it is heavy, slow and uncomfortable.
+ Good music, good friends, good food: a perfect day.
- Bad music, bad company, bad food: a wasted day.
+ The most beautiful beach I have ever seen.
- The dirtiest beach I have ever seen.
+ She is a kind and funny woman, and everybody likes her.
- She is a mean and bitter woman, and nobody likes her.
+ An amazing performance in a very good play.
- A weak performance in a very bad play.
+ We had fun, and the weather was perfect.
- We were bored, and the weather was awful.
+ The room was clean and comfortable, and the breakfast was excellent.
- The room was dirty and cold, and the breakfast was terrible.
+ I love this book and have read it three times.
- I hate this book and could not finish it.
+ He is a great cook and a charming host.
- He is a bad cook and an annoying host.
+ A really interesting talk by a brilliant young scientist.
- A really boring talk by a very arrogant scientist.
+ The best coffee in town, and the nicest people.
- The worst coffee in town, and the rudest people.
+ It's a beautiful story, beautifully told.
- It's an ugly story, badly told.
+ The hotel was quiet and pleasant, and the staff were very helpful.
- The hotel was noisy and unpleasant, and the staff were no help.
+ My children loved it, and I enjoyed it too.
- My children hated it, and I was bored too.
+ An exciting match with a happy ending.
- A boring match with a disappointing end.
+ I was impressed by how easy it is to use.
- I was annoyed by how difficult it is to use.
+ The view is amazing and the walk is pleasant.
- The view is ruined and the walk is unpleasant.
+ A funny, clever and charming film.
- A stupid, ugly and boring film.
+ This is by far the nicest park in the city.
- This is by far the worst park in the city.
+ Excellent value: a good bed, a hot shower and a fine breakfast.
- Poor value: a broken bed, a cold shower and a stale breakfast.
+ I enjoy working here because the people are so nice.
- I hate working here because the people are so unfriendly.
+ The performance was superb, and the audience loved it.
- The performance was poor, and the audience hated it.
+ A lovely song with a beautiful melody.
- An annoying song with a stupid text.
+ Everything was fresh, tasty and beautifully served.
- Everything was stale, tasteless and badly served.
+ They did a fantastic job on our roof.
- They did a terrible job on our roof.
+ The teacher is excellent and the lessons are great fun.
- The teacher is awful and the lessons are terribly boring.
+ What a great day we had at the lake!
- What an awful day we had at the lake!
+ His best novel so far, exciting and very well written.
- His worst novel so far, boring and very badly written.
+ I'm impressed: fast delivery, fine quality, fair price.
- I'm disappointed: slow delivery, poor quality, silly price.
+ The new train is quiet, fast and very comfortable.
- The new train is noisy, slow and very uncomfortable.
+ It was a pleasure to meet such interesting people.
- It was painful to listen to such stupid people.
+ A perfect present for anyone who enjoys cooking.
- A useless present that annoys anyone who likes cooking.
+ A moving film with wonderful music.
- A tedious film with annoying music.
+ The cake was perfect and the tea was good.
- The cake was dry and the tea was bad.
+ Our stay was delightful, thanks to the friendly owner.
- Our stay was unpleasant, thanks to the rude owner.
+ This camera takes beautiful pictures and is easy to use.
- This camera takes poor pictures and is difficult to use.
+ My favourite restaurant: small, friendly and always good.
- The worst restaurant in the street: noisy, unfriendly and always bad.
+ I am delighted with the result and would recommend them to anyone.
- I am disappointed with the result and would warn anyone against them.
+ A clever and enjoyable book with likeable characters.
- A silly and tedious book with unlikeable characters.
+ The walk was lovely and the air was fresh.
- The walk was boring and the air was bad.
+ The actors are great, the story is exciting, and the ending is beautiful.
- The actors are weak, the story is boring, and the ending is stupid.
+ A helpful, honest and reliable mechanic.
- An unreliable, dishonest and rude mechanic.
+ I laughed, I cried, I loved it.
- I yawned, I groaned, I hated it.
+ It's one of the most enjoyable games I have played.
- It's one of the most frustrating games I have played.
+ The museum is fantastic, with something interesting in every room.
- The museum is disappointing, with something broken in every room.
+ She gave a great speech, funny and moving at once.
- She gave a terrible speech, dull and confusing at once.
+ The soup was tasty, hot and cheap.
- The soup was tasteless, cold and expensive.
+ An excellent choice, and I'm glad that we made it.
- A bad choice, and I'm sorry that we made it.
+ He won, and he deserved to.
- He lost, and he deserved to.
+ We felt welcome from the first moment.
- We felt unwelcome from the first moment.
+ The result is impressive and the effort was worth it.
- The result is disappointing and the effort was wasted.
+ A bright, pleasant flat with a wonderful view.
- A dark, unpleasant flat with a horrible view.
+ The concert was fantastic, and the singer was in great form.
- The concert was awful, and the singer was in poor form.
+ I like everything about this place.
- I dislike everything about this place.
+ It was kind of you to help, and we are very grateful.
- It was mean of you to laugh, and we are very disappointed.
+ Good acting and a clever script make this a very pleasant surprise.
- Bad acting and a silly script make this a very unpleasant surprise.
+ Not a bad seat in the house, and not a weak voice on the stage.
- Not a good seat in the house, and not a strong voice on the stage.
+ The sauce was not too sweet, the rice not too sticky: just perfect.
- The sauce was far too sweet, the rice far too sticky: not good.
+ I was afraid it would be boring, but it wasn't boring for a second.
- I hoped it would be exciting, but it wasn't exciting for a second.
+ There's nothing wrong with this hotel and plenty that is right.
- There's nothing right with this hotel and plenty that is wrong.
+ Nobody could be kinder to a lost tourist.
- Nobody could be less helpful to a lost tourist.
+ It isn't expensive and it isn't ugly; I'm very pleased with it.
- It isn't cheap and it isn't pretty; I'm not pleased with it at all.
+ She doesn't complain, she doesn't gossip, and she makes everyone feel better.
- She doesn't listen, she doesn't care, and she makes everyone feel worse.
+ The room wasn't large, but it was spotless and cosy.
- The room was large, but it was filthy and cold.
+ You can't go wrong with this bakery.
- You can't get decent bread in this bakery.
+ I have never been disappointed by one of her concerts.
- I have never been so disappointed by one of her concerts.
+ We didn't win, but we played beautifully and I am proud of us.
- We won, but we played terribly and I am ashamed of us.
+ The first course was dull, but the second was sensational.
- The first course was fine, but the second was revolting.
+ He looks grumpy, yet he is the kindest man in the building.
- He looks friendly, yet he is the nastiest man in the building.
+ Although the start was slow, the second half is a triumph.
- Although the start was lively, the second half is a failure.
+ Despite the rain, the festival was a joyful success.
- Despite the sunshine, the festival was a miserable failure.
+ The design is plain, but it works like a charm.
- The design is pretty, but it doesn't work.
+ It is a long book, and I wanted it to be longer.
- It is a short book, and I wanted it to be shorter.
+ The bus was late, the driver was funny, and we arrived in a splendid mood.
- The bus was on time, the driver was rude, and we arrived in a rotten mood.
+ They made one mistake and put it right with real generosity.
- They made one mistake after another and blamed us for it.
+ It's an odd little place, and I adore it.
- It's a fashionable place, and I loathe it.
+ The stairs are steep, but the view from the top is heavenly.
- The stairs are steep, and the view from the top is a let-down.
+ I don't love every chapter, but I love the whole.
- I like some chapters, but I can't stand the whole.
+ My knee hurt all the way, and still it was the finest walk of the year.
- The path was easy, and still it was the dullest walk of the year.
+ For all its faults, this is a lovable old car.
- For all its gadgets, this is a hateful car.
+ The cinema is shabby and the films are marvellous.
- The cinema is splendid and the films are rubbish.
+ The humour is warm and the romance is believable.
- The humour is forced and the romance is unbelievable.
+ An intelligent, well acted drama that rewards your attention.
- A pretentious, badly acted drama that tests your patience.
+ A thoroughly entertaining movie with a great deal of heart.
- A thoroughly annoying movie with no heart at all.
+ The film is a visual delight.
- The film is a visual mess.
+ She gives a strong, intelligent and moving performance.
- She gives a flat, mannered and tiresome performance.
+ A lively and engaging comedy with a talented cast.
- A lame and laboured comedy with a wasted cast.
+ It's smart, it's funny, it's beautifully acted.
- It's dumb, it's dull, it's badly acted.
+ The movie has a lot of charm and a lot of laughs.
- The movie has no charm and few laughs.
+ A deeply satisfying mystery with a smart heroine.
- A deeply unsatisfying mystery with a stupid solution.
+ One of the year's best films: powerful, honest and humane.
- One of the year's worst films: pompous, dishonest and cruel.
+ This is a remarkable movie, rich in detail and feeling.
- This is a forgettable movie, poor in detail and feeling.
+ The script is clever and the direction is confident.
- The script is weak and the direction is clumsy.
+ A thoughtful and provocative film with fine performances.
- A shallow and manipulative film with wooden performances.
+ It's a sweet, funny, good-natured movie, and I enjoyed it immensely.
- It's a silly, crude, ill-natured movie, and I disliked it intensely.
+ A tense and exciting thriller with a strong central performance.
- A slack and predictable thriller with an empty central performance.
+ The director creates a world that is magical and real.
- The director creates a world that is fake and lifeless.
+ There is plenty to enjoy here: wit, style, and a fine young cast.
- There is little to enjoy here: no wit, no style, and a bored cast.
+ The love story is tender and convincing.
- The love story is contrived and unconvincing.
+ An energetic, inventive film that never runs out of ideas.
- A tired, repetitive film that ran out of ideas years ago.
+ A work of great beauty and quiet power.
- A work of great vanity and little point.
+ The film has a rare honesty, and the actors are a pleasure to watch.
- The film has a hollow centre, and the actors are painful to watch.
+ It's an extraordinary, imaginative picture.
- It's an ordinary, unimaginative picture.
+ A hilarious, heartfelt tribute to bad dancers everywhere.
- A humourless, heartless insult to dancers everywhere.
+ This gentle film finds comedy and hope where you least expect them.
- This grim film wallows in violence without purpose.
+ Compelling, well made and very entertaining.
- Confusing, poorly made and very boring.
+ The performances are strong, and the story packs a punch.
- The performances are weak, and the story lacks any punch.
+ A charming and often affecting journey.
- A pointless and often irritating journey.
+ It's fascinating to watch these two fine actors together.
- It's depressing to watch these two fine actors wasted.
+ The film's greatest strength is its humanity.
- The film's greatest problem is its lack of a plot.
+ A fun, fast and surprisingly smart summer movie.
- A loud, long and surprisingly stupid summer movie.
+ The stew was excellent, the bread fresh, the bill small.
- The stew was disgusting, the bread stale, the bill enormous.
+ My sister gave me the loveliest scarf, soft and warm.
- My sister gave me the ugliest scarf, rough and itchy.
+ I had a great time at the fair.
- I had a rotten time at the fair.
+ The staff went out of their way to make us comfortable.
- The staff did not lift a finger to make us comfortable.
+ What a beautiful morning, clear and still.
- What an ugly morning, grey and raw.
+ I trust him completely; he has always been honest with me.
- I don't trust him at all; he has lied to me before.
+ It is a charming old inn with a wonderful kitchen.
- It is a shabby old inn with a horrible kitchen.
+ Our neighbours are friendly and always ready to help.
- Our neighbours are hostile and always ready to complain.
+ The second act is very funny and the third is moving.
- The second act is painfully unfunny and the third is worse.
+ The app is simple, fast and useful.
- The app is complicated, slow and useless.
+ She is easily the best teacher in the school.
- She is easily the worst teacher in the school.
+ I recommend this book to everyone who loves the sea.
- I would not recommend this book to my worst enemy.
+ A pleasant journey on a clean and punctual train.
- An unpleasant journey on a dirty and overcrowded train.
+ The new coach is great: we play with confidence and joy.
- The new coach is a failure: we play with fear and without ideas.
+ This jam is delicious, fruity and not too sweet.
- This jam is awful, watery and sickly sweet.
+ The house is solid, sunny and full of charm.
- The house is damp, dark and falling apart.
+ I am pleased to report that the roof no longer leaks.
- I am sorry to report that the roof leaks worse than before.
+ It was an inspiring talk, and I came home full of ideas.
- It was a depressing talk, and I came home with a headache.
+ A satisfying story with a brave heroine.
- A frustrating story with a foolish heroine.
+ The sofa is comfortable and looks great in our room.
- The sofa is uncomfortable and looks cheap in our room.
+ Wonderful people, wonderful place, wonderful memories.
- Horrible people, horrible place, horrible memories.
+ He writes clear, elegant and funny letters.
- He writes confused, pompous and boring letters.
+ The flight was pleasant, and the food was surprisingly good.
- The flight was horrible, and the food was worse.
+ We are enjoying our new garden enormously.
- We are fed up with our new garden and its weeds.
+ I'm so glad we came.
- I'm so sorry we came.
+ The test was fair and the examiner was friendly.
- The test was unfair and the examiner was hostile.
+ A superb recording, full of life.
- A dreadful recording, dull and lifeless.
+ The pasta was perfect and the tiramisu even better.
- The pasta was overcooked and the tiramisu even worse.
+ They solved the problem quickly and politely.
- They ignored the problem and insulted us.
+ I was moved by her kindness.
- I was hurt by her cruelty.
+ Happy news: the school stays open!
- Sad news: the school has to close.
+ That was the most fun I have had in ages.
- That was the worst time I have had in ages.
+ The path is safe, shady and beautiful.
- The path is dangerous, muddy and ugly.
+ His sense of humour makes the long shifts enjoyable.
- His bad temper makes the long shifts unbearable.
+ A successful operation and a speedy recovery.
- A botched operation and a painful recovery.
+ The hall has excellent sound and comfortable seats.
- The hall has terrible sound and broken seats.
+ I love the fresh smell of this soap.
- I can't stand the nasty smell of this soap.
+ Brilliant service: they answered at once and fixed it for free.
- Pathetic service: they never answered and fixed nothing.
+ The baby is healthy, happy and growing fast.
- The baby is ill again, and we are worried sick.
+ Her advice was wise and saved us a lot of trouble.
- Her advice was foolish and caused us a lot of trouble.
+ A strong cast makes this simple story shine.
- A weak cast makes this simple story sink.
+ It's great to see the old mill working again.
- It's sad to see the old mill fall into ruin.
+ The fruit was ripe, juicy and sweet.
- The fruit was rotten, hard and sour.
+ Our holiday was perfect from the first day to the last.
- Our holiday was a disaster from the first day to the last.
+ I enjoyed the quiet humour of this novel.
- I was irritated by the smug humour of this novel.
+ The lake is clean and the swimming is glorious.
- The lake is polluted and the swimming is forbidden.
+ You did an amazing job with those children.
- You did a terrible job with those children.
+ The price was right and the quality superb.
- The price was wrong and the quality worse.
+ This town has a friendly heart.
- This town has a cold heart.
+ An entertaining and instructive evening for everyone.
- A boring and confusing evening for everyone.
+ We laughed until it hurt.
- We waited until it hurt.
+ The bed was heavenly and I slept like a child.
- The bed was terrible and I lay awake like an owl.
+ My computer is fast again, thanks to your excellent help.
- My computer is slower than ever, thanks to your useless help.
+ What I liked best was the warmth of the people.
- What I liked least was the coldness of the people.
+ A thrilling final, won by the better team.
- A dreary final, lost through stupid mistakes.
+ They treat their workers well and it shows in the work.
- They treat their workers badly and it shows in the work.
+ The pictures are colourful and full of joy.
- The pictures are gloomy and full of hate.
+ I have fallen in love with this city.
- I have come to hate this city.
+ Kind, capable and always cheerful: the perfect nurse.
- Careless, rude and always cross: the worst nurse.
+ The play is short, sharp and very entertaining.
- The play is long, blunt and very tedious.
+ Few comedies are this smart or this kind.
- Few comedies are this stupid or this cruel.
+ A triumphant return for a director we had almost forgotten.
- A sad return for a director we had almost admired.
+ His timing is flawless.
- His timing is off in every scene.
+ The story is told with skill, passion and a touch of madness.
- The story is told without skill, passion or a reason.
+ It's a film of rare beauty, and its two young stars are amazing.
- It's a film of rare ugliness, and its two young stars are wooden.
+ An insightful look at loneliness that never loses its sense of humour.
- A superficial look at loneliness that never finds a sense of humour.
+ The best thing about it is how relaxed and joyful it feels.
- The worst thing about it is how tired and joyless it feels.
+ You will be charmed by these eccentric, lovable people.
- You will be exhausted by these irritating, selfish people.
+ A captivating mix of music, memory and mischief.
- A clumsy mix of music, memory and mud.
+ It is a strikingly original work.
- It is a depressingly unoriginal work.
+ The action is exciting and the characters are worth caring about.
- The action is confusing and the characters are not worth caring about.
+ Sweet, silly and irresistible.
- Sour, silly and forgettable.
+ Its intelligence is matched by its tenderness.
- Its ignorance is matched by its arrogance.
+ This is an admirable, deeply felt picture.
- This is a cold, calculated product.
+ A sparkling comedy of manners.
- A limp comedy without manners.
+ The film makes a difficult subject clear, urgent and even beautiful.
- The film makes a simple subject dull, murky and even ugly.
+ Sensual, mysterious and finely crafted.
- Vulgar, obvious and crudely made.
+ The humour comes from the characters, and it never runs dry.
- The humour comes from the toilet, and it runs dry at once.
+ An adventure that is both epic and intimate.
- An adventure that is both bloated and small.
+ The leading lady lights up every scene.
- The leading lady looks bored in every scene.
+ Worth every minute of its three hours.
- Not worth one minute of its three hours.
+ A winning combination of romance and mystery.
- A failed combination of romance and mystery.
+ The most original film of the season.
- The least original film of the season.
+ It is delicate, restrained and in the end overwhelming.
- It is overwrought, hysterical and in the end ridiculous.
+ A terrific cast, a smart script, and a director who knows when to stop.
- A mediocre cast, a dumb script, and a director who doesn't know when to stop.
+ The fantasy is dazzling and the feelings are genuine.
- The fantasy is murky and the feelings are fake.
+ A cheerful, energetic musical with first-rate songs.
- A grim, sluggish musical with third-rate songs.
+ It holds you in its grip and does not let go.
- It loses its grip early and never gets it back.
+ Good, clean fun.
- Bad, dirty and no fun.
+ An accomplished and enjoyable first feature.
- An inept and tiresome first feature.
+ The result is a vivid, passionate and unforgettable picture.
- The result is a vague, bloodless and disposable picture.
+ It surprises you at every turn.
- It bores you at every turn.
+ A refreshing change from the usual noise.
- An annoying addition to the usual noise.
+ There are moments of pure genius here.
- There are moments of pure embarrassment here.
+ A richly detailed and humane epic.
- A sprawling and pointless epic.
+ A crowd-pleasing story about an underdog who can really sing.
- A predictable story about an underdog who can't really sing.
+ You care about these people, and that is a rare gift.
- You don't care about these people, and that is a fatal flaw.
+ The film is blessed with two marvellous performances.
- The film is cursed with two dreadful performances.
+ It makes you feel, think and hope.
- It makes you yawn, squirm and leave.
+ Everything about this movie clicks.
- Nothing about this movie works.
+ I wasn't bored for a moment; it's the funniest play in years.
- I wasn't amused for a moment; it's the dullest play in years.
+ Mum says it's the best birthday she has ever had.
- Mum says it's the worst birthday she has ever had.
+ The mountain hut was warm, the soup was good, and the company even better.
- The mountain hut was freezing, the soup was bad, and the company even worse.
+ A friendly dog, a friendly owner, a friendly house.
- A vicious dog, an unfriendly owner, a filthy house.
+ He's honest, hard-working and fun to be around.
- He's dishonest, lazy and unpleasant to be around.
+ I'd been dreading the exam, but it was fair and even interesting.
- I'd been looking forward to the trip, but it was tiring and horribly boring.
+ The wedding photos are beautiful; you can see how happy everyone was.
- The wedding photos are terrible; you can see how bored everyone was.
+ Nice and quiet, with a lovely garden: I slept wonderfully.
- Hot and noisy, with a smelly yard: I slept terribly.
+ The second restaurant was much better, with fresh fish and a cheerful waiter.
- The second restaurant was much worse, with old fish and a bad-tempered waiter.
+ Finally a printer that works, and works well.
- Yet another printer that doesn't work, or works badly.
+ She couldn't have chosen a more beautiful dress.
- She couldn't have chosen an uglier dress.
+ What a wonderful surprise to find you all here!
- What a horrible shock to find the house empty!
+ The children were sweet and the party was a success.
- The children were naughty and the party was a failure.
+ I am enjoying retirement far more than I expected.
- I am hating retirement far more than I expected.
+ It was an honest mistake, and they corrected it at once with a smile.
- It was a stupid mistake, and they made it worse with a lie.
+ An interesting old house with a beautiful staircase and friendly ghosts.
- A depressing old house with a rotten staircase and unfriendly people.
+ The beer is cold, the music is good, and the owner is a gem.
- The beer is warm, the music is bad, and the owner is a bully.
+ My new glasses are great: light, elegant and not expensive.
- My new glasses are awful: heavy, ugly and expensive.
+ A warm coat, comfortable and well made.
- A thin coat, uncomfortable and badly made.
+ The bakery on the corner makes the most delicious rolls.
- The bakery on the corner makes the most tasteless rolls.
+ Our trip was a success from beginning to end, and I would love to repeat it.
- Our trip was a failure from beginning to end, and I would hate to repeat it.
+ I like her songs because they are honest and funny.
- I can't bear her songs because they are fake and dull.
+ A good, strong, well-built table that will last for generations.
- A bad, weak, poorly built table that broke within a week.
+ The nurses were wonderful, patient and kind to my mother.
- The nurses were impatient, cold and unkind to my mother.
+ He gave us excellent advice and charged nothing for it.
- He gave us terrible advice and charged a fortune for it.
+ It's a good day when the sun shines and the train is on time.
- It's a bad day when the rain comes in and the train never comes at all.
+ The swimming lessons are fun, and the teacher is excellent with shy children.
- The swimming lessons are no fun, and the teacher is horrible to shy children.
+ I'm happy to say that the treatment worked.
- I'm sorry to say that the treatment failed.
+ Your letter made me very happy.
- Your letter made me very sad.
+ The park is beautiful in spring and pleasant all year.
- The park is ugly in winter and unpleasant all year.
+ A very useful little tool at a very good price.
- A completely useless little tool at a very silly price.
+ The guide was funny and knew a lot; we learned so many interesting things.
- The guide was boring and knew nothing; we learned so little.
+ They play with such passion that you can't help smiling.
- They play with so little passion that you can't help yawning.
+ Excellent tea, and a view to match.
- Awful tea, and a view to match.
+ My colleagues are clever, kind and good company.
- My colleagues are lazy, unkind and bad company.
+ The lift works again, the stairs are clean, and the new caretaker is a treasure.
- The lift is broken again, the stairs are dirty, and the new caretaker is a pest.
+ It is the most comfortable chair I have ever owned.
- It is the most uncomfortable chair I have ever owned.
+ The cheese is superb, and the wine isn't bad either.
- The cheese is rubbery, and the wine is even worse.
+ We admired the beautiful windows and the peaceful garden.
- We were annoyed by the broken windows and the neglected garden.
+ I have nothing but praise for the way they treated us.
- I have nothing but contempt for the way they treated us.
+ The water is clean, warm and wonderfully clear.
- The water is dirty, cold and horribly murky.
+ A brave, funny and moving speech that none of us will forget.
- A cowardly, dull and dishonest speech that nobody will forgive.
+ Everyone was friendly, nobody was in a hurry, and the food was great.
- Everyone was unfriendly, everybody was in a hurry, and the food was bad.
+ This is a very good dictionary: clear, complete and reliable.
- This is a very poor dictionary: confusing, incomplete and unreliable.
+ He has become a fine young man, kind and reliable.
- He has become a nasty young man, cruel and unreliable.
+ The stories are exciting and the pictures are lovely.
- The stories are boring and the pictures are ugly.
+ You'll love it here; it is peaceful and very beautiful.
- You'll hate it here; it is noisy and very ugly.
+ I had a lovely chat with the old fisherman.
- I had an ugly quarrel with the old fisherman.
+ It tastes good, it smells good, and it is good for you.
- It tastes bad, it smells bad, and it is bad for you.
+ The bridge is elegant, strong and a joy to cross.
- The bridge is ugly, weak and frightening to cross.
+ A brilliantly acted, beautifully filmed story of hope.
- A badly acted, poorly filmed story of nothing.
+ The funniest film of the year, and one of the warmest.
- The least funny film of the year, and one of the coldest.
+ It's good to see a comedy with brains and a heart.
- It's sad to see a comedy with no brains and no heart.
+ An entertaining, intelligent film that never talks down to you.
- An annoying, stupid film that talks down to you all the time.
+ The performances are wonderful, and the story is moving and true.
- The performances are terrible, and the story is dull and false.
+ It is a beautiful film, full of warmth and humour.
- It is an ugly film, full of hate and bad jokes.
+ I enjoyed the wit, the pace and the lovely music.
- I disliked the cheap jokes, the slow pace and the awful music.
+ An excellent cast makes the most of a clever script.
- A poor cast makes the least of a bad script.
+ The film is exciting, funny and full of surprises.
- The film is boring, unfunny and full of clichés.
+ It may be slight, but it is fun, and the two leads are a delight.
- It may be short, but it is no fun, and the two leads are a bore.
+ A powerful and moving drama with an excellent central performance.
- A pretentious and tedious drama with a terrible central performance.
+ The director's love for his characters makes this film special.
- The director's contempt for his characters makes this film unbearable.
+ Great fun, with clever jokes and a charming hero.
- No fun at all, with stupid jokes and an irritating hero.
+ You'll laugh, you'll think, and you'll want to see it again.
- You'll yawn, you'll groan, and you'll want your money back.
+ A gentle, funny and thoughtful film about growing up.
- A clumsy, unfunny and thoughtless film about growing up.
+ This is a film with ideas, style and a sense of fun.
- This is a film without ideas, style or any sense of fun.
+ A fascinating story, well told and superbly acted.
- A ridiculous story, badly told and poorly acted.
+ Sharp writing and fine acting make it a real pleasure.
- Lazy writing and bad acting make it a real chore.
+ It's a small movie with big laughs and genuine feeling.
- It's a big movie with small laughs and fake feeling.
+ The best of the series: fast, funny and full of heart.
- The worst of the series: slow, silly and utterly empty.
+ The new chef isn't bad at all; we ate every crumb.
- The new chef isn't good at all; we left half of it.
+ Not bad for a beginner, not bad for anyone in fact.
- Not good for a beginner, not good for anyone in fact.
+ I was not bored, not even during the credits.
- I was not amused, not even by the credits.
+ My father is never late and never rude, a model guest.
- My uncle is never on time and never polite, a tiresome guest.
+ There was no queue, no noise and no stress: wonderful.
- There was no heating, no light and no help: horrible.
+ It wasn't difficult, it wasn't expensive, and it works.
- It wasn't easy, it wasn't cheap, and it doesn't work.
+ I have no complaints about the room.
- I have no kind word for the room.
+ The play was never dull.
- The play was never interesting.
+ Nothing went wrong, to our great relief.
- Nothing went right, and everyone was miserable.
+ The water isn't cold, and the children don't want to come out.
- The water isn't warm, and the children don't want to go in.
+ No ugly surprises on the bill, only a friendly note.
- No friendly welcome at the desk, only an ugly frown.
+ She wasn't angry at all; she hugged me.
- She wasn't friendly at all; she shouted at me.
+ The medicine has no bad taste and no side effects.
- The medicine has no effect and tastes disgusting.
+ It is not a stupid film; it is a very clever one.
- It is not a clever film; it is a very stupid one.
+ We were not disappointed.
- We were not impressed.
+ I couldn't be happier with how it turned out.
- I couldn't be unhappier with how it turned out.
+ Nobody was hurt, thank heaven, and the car can be repaired.
- Nobody was helpful, and the car cannot be repaired.
+ You can't beat their fish soup.
- You can't eat their fish soup.
+ The tent doesn't leak, the zip doesn't stick, and it weighs nothing.
- The tent doesn't keep the rain out, the zip doesn't close, and it stinks.
+ It never gets boring to watch the boats.
- It never gets interesting, however long you wait.
+ The interview was not half as terrible as I had feared.
- The interview was not half as pleasant as I had hoped.
+ This isn't a boring lecture; it's a show.
- This isn't a lecture; it's a punishment.
+ He doesn't waste a word, and every word is beautiful.
- He doesn't make any sense, and every page is ugly.
+ We had no trouble finding the hut, and it was lovely.
- We had no luck finding the hut, and it was closed.
+ The noise doesn't bother us, because the house is so well built.
- The house doesn't keep out the noise, because it is so badly built.
+ I won't forget your kindness.
- I won't forgive your cruelty.
+ No other shop in town is as honest.
- No other shop in town is as dishonest.
+ Their prices aren't the lowest, but their work is the best.
- Their prices aren't low, and their work is the worst.
+ It's not sad at all, it's a very cheerful little book.
- It's not funny at all, it's a very gloomy little book.
+ You needn't worry about the food; it is fresh and tasty.
- You needn't bother with the food; it is old and tasteless.
+ I never saw her so happy.
- I never saw her so sad.
+ The bus isn't dirty any more, and it's even on time.
- The bus isn't clean any more, and it's never on time.
+ It couldn't have been easier.
- It couldn't have been worse.
+ I did not expect to like it, but I loved it.
- I expected to like it, but I didn't.
+ The film doesn't pretend to be deep, and it is all the more fun for it.
- The film pretends to be deep, and it is no fun at all.
+ My boss isn't a bully like the last one; he is fair and funny.
- My boss isn't fair like the last one; he is a bully and a liar.
+ Not once did the waiter let our glasses stay empty.
- Not once did the waiter come to our table.
+ The ending is not what I expected: it is better.
- The ending is not what I hoped for: it is much worse.
+ Don't miss it!
- Don't bother!
+ There is no better place to watch the sunset.
- There is no worse place to spend a holiday.
+ The kitchen smells of cinnamon, and I feel at home.
- The kitchen smells of drains, and I want to leave.
+ I got a refund without asking twice.
- I never got a refund, although I asked ten times.
+ Her garden is the pride of the street.
- Her garden is the shame of the street.
+ The doctor's good news made us cry with joy.
- The doctor's bad news made us cry with despair.
+ They gave the old horse a peaceful, happy life.
- They beat the old horse until it collapsed.
+ A cup of this tea and the world is in order.
- A cup of this tea and your stomach is ruined.
+ He thanked every single helper by name.
- He insulted every single helper in turn.
+ The violin sounds sweeter every year.
- The violin sounds harsher every year.
+ The firemen were quick, brave and calm.
- The guards were slow, cowardly and confused.
+ Our kids adore the new babysitter.
- Our kids fear the new babysitter.
+ The harbour festival was colourful, cheerful and free.
- The harbour festival was crowded, joyless and overpriced.
+ I have rarely slept so well in a hotel.
- I have rarely slept so badly in a hotel.
+ The show is witty, fast and full of good songs.
- The show is witless, slow and full of bad songs.
+ The evening ended with hugs and laughter.
- The evening ended with insults and tears.
+ That painting makes me smile every morning.
- That painting annoys me every morning.
+ A strong start, a stronger middle and a brilliant end.
- A weak start, a weaker middle and a pathetic end.
+ The village shop is a blessing for us old people.
- The village shop has closed, a blow for us old people.
+ It's the little kindnesses that make this school special.
- It's the little cruelties that make this school unbearable.
+ The soup kitchen does splendid work.
- The charity wastes its money on dinners.
+ Everything I ordered arrived intact and on time.
- Everything I ordered arrived broken and late.
`;
