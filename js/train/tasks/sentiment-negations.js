/**
 * Sentences that turn on a negation, written for this project to measure with, and never learned from: `+` praises, `-`
 * complains, two and two, in nearly the same words.  Licence: MIT, as the project.
 */
export const NEGATIONS = `
+ It was not bad at all.
- It was not good at all.
+ The museum was never dull.
- The museum was never interesting.
+ The tea was not bitter.
- The tea was not warm.
+ My hands never hurt in these gloves.
- My hands never feel warm in these gloves.
+ I did not hate the opera, far from it.
- I did not like the opera, to be honest.
+ The bus drivers here are never rude.
- The bus drivers here are never polite.
+ We could not find anything wrong with the flat.
- We could not find anything nice about the flat.
+ Nobody in the choir sang badly.
- Nobody in the choir sang well.
+ The tiles are not ugly, whatever my sister says.
- The tiles are not beautiful, whatever my sister says.
+ There is nothing boring about the chess club.
- There is nothing exciting about the chess club.
+ The ointment caused no pain.
- The ointment brought no relief.
+ The new boiler hardly makes any noise.
- The new boiler hardly gives any heat.
+ Without any trouble, we had our passports within a week.
- Without any help, we waited for our passports all summer.
+ The singer was anything but weak.
- The singer was anything but strong.
+ The journey was far from unpleasant.
- The journey was far from pleasant.
+ The cake did not turn out dry.
- The cake did not turn out moist.
+ My aunt isn't selfish.
- My aunt isn't generous.
+ Our walk was not spoiled by the rain.
- Our walk was not improved by the rain.
+ The tool has never let me down.
- The tool has never been of use to me.
+ I never regretted moving here.
- I never enjoyed living here.
+ The crust isn't soggy and the filling isn't bland.
- The crust isn't crisp and the filling isn't tasty.
+ The lessons are neither hard nor tedious.
- The lessons are neither clear nor useful.
+ No delays, no arguments, and no tears.
- No comfort, no warmth, and no welcome.
+ The clerk didn't lose patience with us.
- The clerk didn't show us any patience.
+ The repair wasn't a waste of money.
- The repair wasn't worth the money.
+ He didn't fail a single exam.
- He didn't pass a single exam.
+ It would not be fair to call the play a flop.
- It would not be fair to call the play a success.
+ I did not sleep badly in the tent.
- I did not sleep well in the tent.
+ The screen isn't blurry any more.
- The screen isn't sharp any more.
+ Nothing about the wedding disappointed me.
- Nothing about the wedding delighted me.
+ The judges found no weakness in her argument.
- The judges found no merit in her argument.
+ The dog isn't dangerous.
- The dog isn't friendly.
+ I don't think the colour looks awful.
- I don't think the colour looks lovely.
+ The neighbours never complain about us.
- The neighbours never say a kind word to us.
+ This cheese has no unpleasant smell.
- This cheese has no pleasant taste.
+ The plot never gets confusing.
- The plot never gets gripping.
+ The teacher could hardly have been more helpful.
- The teacher could hardly have been less helpful.
+ The harbour is not polluted.
- The harbour is not clean.
+ The jacket doesn't look shabby after ten years.
- The jacket doesn't look smart after ten days.
+ I can't say a bad word about the crew.
- I can't say a good word about the crew.
+ The festival didn't end in chaos.
- The festival didn't go smoothly.
+ It could have been a catastrophe, but it was not.
- It could have been a masterpiece, but it was not.
+ None of the rooms was dirty.
- None of the rooms was tidy.
+ She did not treat us unfairly.
- She did not treat us fairly.
+ The soup wasn't tasteless this time.
- The soup wasn't tasty this time.
+ There was no reason to worry about the roof.
- There was no reason to trust the roofer.
+ The speech did not bore anybody.
- The speech did not move anybody.
+ I would not call the walk exhausting.
- I would not call the walk refreshing.
+ The bakery never disappoints its customers.
- The bakery never satisfies its customers.
+ The update did not break anything.
- The update did not fix anything.
+ The landlord isn't dishonest.
- The landlord isn't honest.
+ My knee does not ache now.
- My knee does not feel better now.
+ The game is not too difficult, and never unfair.
- The game is not much fun, and never fair.
+ Not one of the dishes was burnt.
- Not one of the dishes was fresh.
+ The heat wasn't unbearable, luckily.
- The heat wasn't bearable, sadly.
`;
