/**
 * Words that judge, and what they judge, written for this project: what the grammar of negation fills its frames with.
 * Under each kind of thing its names, words that praise it and words that blame it.  Licence: MIT, as the project.
 */

/** @typedef {{ names: string[], praise: string[], blame: string[] }} Kind */

const listed = (/** @type {string} */ words) => words.split(/,\s+/);

/** Words for anything. */
export const GENERAL = {
  praise: listed(`good, great, wonderful, excellent, fantastic, superb, lovely, brilliant, amazing, perfect, nice,
    terrific, marvellous, splendid, outstanding, remarkable, impressive, magnificent, delightful, pleasant,
    satisfying, beautiful, exceptional, fabulous, charming, worthwhile, admirable, pleasing, first-rate, fine,
    stunning, decent, incredible, extraordinary, special, likeable, appealing, adorable, superior, magical, glorious,
    sublime, exquisite, dazzling, spectacular, phenomenal, commendable, worthy, favourite, top-notch, enviable,
    priceless, lovable, radiant, heavenly, divine, agreeable, respectable, sound, solid, cool, tremendous, welcome,
    unbeatable, irresistible`),
  blame: listed(`bad, terrible, awful, horrible, dreadful, poor, disappointing, mediocre, lousy, dismal, pathetic,
    appalling, atrocious, abysmal, miserable, unpleasant, ugly, worthless, useless, wretched, rotten, lame, pitiful,
    annoying, ridiculous, hopeless, shoddy, shameful, inferior, frustrating, nasty, unbearable, inadequate,
    irritating, hideous, second-rate, weak, sad, ghastly, vile, disgusting, repulsive, revolting, deplorable, dire,
    crummy, crappy, horrid, grim, bleak, awkward, ludicrous, laughable, unacceptable, unsatisfactory, disgraceful,
    painful, sickening, foul, gross, tasteless, unfortunate, wrong, flawed, intolerable, insufferable, hateful,
    botched, unforgivable, regrettable, tacky`),
};

/** @type {Kind[]} */
export const KINDS = [
  {
    names: listed(`soup, meal, pizza, tea, coffee, cake, bread, salad, steak, curry, dessert, breakfast, sandwich,
      pasta, sauce, fish, dinner, rice, pie, cheese, lunch, stew, omelette, burger, chicken, sausage, wine, juice`),
    praise: listed(`tasty, delicious, fresh, crisp, juicy, tender, warm, flavourful, creamy, moist, appetising,
      generous, fragrant, well seasoned, hot, crunchy, ripe, hearty, healthy, nourishing, appetizing, aromatic,
      buttery, exquisite, filling, flaky, fluffy, golden, heavenly, luscious, mouth-watering, refreshing, silky,
      spicy, succulent, sweet, wholesome, perfectly cooked`),
    blame: listed(`bland, stale, soggy, tasteless, burnt, greasy, cold, tough, dry, rancid, overcooked, undercooked,
      lukewarm, inedible, watery, limp, salty, slimy, lumpy, sour, flavourless, mushy, bitter, raw, charred, chewy,
      claggy, curdled, fatty, gristly, icy, mouldy, oily, overdone, pasty, rubbery, scorched, sickly, spoilt, sticky,
      stodgy, stringy, underdone, unappetising, vinegary, badly cooked`),
  },
  {
    names: listed(`film, movie, book, play, show, story, novel, comedy, thriller, documentary, series, concert, plot,
      script, ending, dialogue, performance, song, episode, drama, cartoon, acting, album, musical, poem, exhibition,
      sequel, romance, lecture, speech, article`),
    praise: listed(`gripping, funny, moving, clever, thrilling, witty, original, touching, engaging, fascinating,
      hilarious, interesting, entertaining, exciting, powerful, captivating, absorbing, riveting, compelling,
      convincing, imaginative, poignant, refreshing, insightful, intelligent, inventive, thoughtful, uplifting,
      heartfelt, smart, lively, sincere, suspenseful, amusing, enthralling, mesmerizing, inspired, subtle, graceful,
      memorable, stylish, believable, provocative, enchanting, tense, honest, haunting, vivid, playful, ambitious,
      intriguing, sweet, unforgettable, perceptive, assured, elegant, well acted, well written, taut, fresh, delicate,
      deft, luminous, ravishing, mature, sophisticated, profound, authentic, humane, eloquent, affecting, wry, droll,
      zany, hip, kinetic, atmospheric, bold, daring, visceral, hypnotic, lyrical, bittersweet, tender, wise, sharp,
      timely, rich, masterful, exhilarating, rousing, spirited, satisfying, soulful, nuanced, layered, genuine,
      engrossing, endearing, whimsical, evocative, meaningful, invigorating, pleasurable, startling, candid,
      passionate, warm, heartwarming, sensitive, warm-hearted, good-natured, hopeful, triumphant, brainy, literate,
      seductive, scintillating, beguiling, bracing, winning, artful, accomplished, inviting, life-affirming,
      well paced, beautifully shot, comic, spellbinding, cathartic, elegiac`),
    blame: listed(`boring, dull, tedious, predictable, silly, slow, confusing, pointless, shallow, clumsy, tiresome,
      forgettable, incoherent, pretentious, stupid, contrived, unfunny, sappy, bloated, derivative, lifeless,
      uninspired, implausible, manipulative, muddled, flat, formulaic, dreary, empty, plodding, hollow, monotonous,
      messy, overlong, trite, bland, stale, superficial, lazy, heavy-handed, obvious, repetitive, dumb, sentimental,
      uneven, witless, soulless, generic, amateurish, unconvincing, inane, sloppy, meandering, humourless, laboured,
      idiotic, unoriginal, insipid, absurd, cheesy, badly acted, badly written, crude, offensive, wooden, stilted,
      leaden, ponderous, turgid, sluggish, listless, anaemic, limp, stodgy, murky, drab, toothless, gimmicky,
      hackneyed, corny, syrupy, maudlin, mawkish, preachy, smug, crass, vulgar, juvenile, sophomoric, puerile, inept,
      incompetent, amateur, disjointed, choppy, overwrought, overblown, overdone, bombastic, noisy, loud, frantic,
      joyless, charmless, bloodless, plotless, mindless, senseless, brainless, heartless, unimaginative, undercooked,
      underwritten, half-baked, pedestrian, routine, ordinary, recycled, warmed-over, cynical, mean-spirited,
      unpleasant, grating, exasperating, thin, slight, vapid, vacuous, inert, static, strained, forced, phoney, fake,
      false, dishonest, exploitative, muddy, dated, self-indulgent, incomprehensible, aimless, endless, interminable,
      unwatchable, lacklustre, lukewarm, dim-witted, far-fetched, ill-conceived, misguided, poorly paced,
      badly directed, unnecessary, tepid, torpid, stagy, cloying, disposable, excruciating, numbing, shapeless,
      dispiriting, unbelievable, overrated`),
  },
  {
    names: listed(`waiter, doctor, teacher, nurse, driver, neighbour, manager, guide, plumber, clerk, boss, landlord,
      dentist, coach, actor, singer, host, colleague, cook, trainer, receptionist, cousin, aunt, uncle, mechanic,
      officer, librarian, author, lawyer, hairdresser, husband, wife, salesman, secretary, tutor`),
    praise: listed(`kind, friendly, helpful, polite, patient, honest, generous, funny, cheerful, attentive, gentle,
      thoughtful, caring, reliable, competent, professional, loyal, wise, considerate, courteous, fair, sincere,
      capable, trustworthy, talented, gifted, skilled, warm-hearted, sensible, understanding, supportive, modest,
      well prepared, graceful, brave, decent, devoted, diligent, easy-going, encouraging, good-humoured, gracious,
      hard-working, hospitable, humble, obliging, open-minded, quick-witted, responsible, tactful, tolerant, upright,
      well-mannered`),
    blame: listed(`rude, unfriendly, unhelpful, impatient, dishonest, selfish, arrogant, lazy, mean, incompetent,
      careless, cruel, grumpy, unkind, hostile, stingy, unreliable, greedy, thoughtless, clumsy, snobbish, bossy,
      impolite, ignorant, unfair, unprofessional, moody, aggressive, insensitive, vain, bad-tempered, jealous,
      sarcastic, indifferent, abrupt, absent-minded, abusive, argumentative, boastful, brusque, callous, childish,
      conceited, cowardly, deceitful, disloyal, dismissive, domineering, fussy, gloomy, harsh, haughty, irresponsible,
      obnoxious, pompous, prejudiced, pushy, quarrelsome, ruthless, spiteful, surly, tactless, ungrateful, violent,
      vindictive`),
  },
  {
    names: listed(`room, hotel, house, flat, kitchen, garden, beach, park, restaurant, café, museum, theatre, office,
      station, street, bathroom, campsite, village, library, pub, shop, town, cabin, train, waiting room, balcony,
      bar, harbour, pool`),
    praise: listed(`clean, cosy, quiet, comfortable, spacious, bright, tidy, peaceful, welcoming, spotless, safe,
      inviting, elegant, airy, picturesque, warm, friendly, restful, well kept, sunny, well run, homely, calm, pretty,
      beautifully kept, charming, delightful, hospitable, idyllic, light, orderly, roomy, romantic, scenic, secure,
      serene, snug, tranquil, uncrowded, unspoilt, well equipped, well lit`),
    blame: listed(`dirty, noisy, filthy, overcrowded, gloomy, shabby, uncomfortable, cramped, smelly, damp, dark,
      dusty, messy, unsafe, chilly, draughty, sticky, stuffy, mouldy, grubby, run-down, neglected, depressing,
      polluted, dangerous, untidy, crowded, unwelcoming, bleak, cluttered, decaying, derelict, desolate, dilapidated,
      dingy, drab, fusty, hostile, musty, overheated, poky, rowdy, rundown, seedy, sordid, squalid, stinking,
      unhygienic, unheated, vandalised, littered`),
  },
  {
    names: listed(`phone, printer, laptop, lamp, car, bicycle, jacket, chair, kettle, app, program, website, camera,
      washing machine, mattress, umbrella, tent, vacuum cleaner, watch, oven, battery, game, keyboard, radio, toaster,
      drill, boiler, headset, screen, update, coat, suitcase, tool, product, device`),
    praise: listed(`reliable, sturdy, handy, useful, durable, fast, affordable, practical, robust, accurate, powerful,
      quiet, sharp, smooth, convenient, efficient, comfortable, solid, clever, well made, easy to use, intuitive,
      light, safe, effective, flexible, helpful, stable, responsive, compact, dependable, elegant, foolproof,
      ingenious, long-lasting, lightweight, noiseless, precise, quick, rapid, silent, sleek, strong, versatile,
      waterproof, well designed, well built`),
    blame: listed(`broken, flimsy, faulty, slow, unreliable, overpriced, fragile, defective, noisy, inaccurate,
      impractical, awkward, blurry, leaky, wobbly, inconvenient, inefficient, uncomfortable, clumsy, badly made,
      hard to use, confusing, heavy, dangerous, ineffective, complicated, unstable, rusty, bulky, buggy, brittle,
      clunky, cracked, dented, erratic, expensive, feeble, glitchy, jammed, laggy, loose, obsolete, outdated,
      overheated, poorly made, rickety, sluggish, squeaky, temperamental, unsafe, unsteady, unusable, cheaply made,
      incompatible`),
  },
  {
    names: listed(`trip, party, holiday, course, meeting, wedding, journey, evening, festival, match, tour, walk,
      lesson, visit, weekend, flight, project, job, interview, treatment, service, picnic, ceremony, delivery, repair,
      afternoon, exam, day, ride, training, dance, operation`),
    praise: listed(`fun, enjoyable, exciting, relaxing, rewarding, inspiring, smooth, successful, unforgettable,
      useful, informative, memorable, well organised, valuable, refreshing, helpful, interesting, punctual, quick,
      prompt, easy, painless, festive, joyful, entertaining, thorough, sunny, joyous, carefree, delightful, eventful,
      exhilarating, friendly, harmonious, heartwarming, instructive, lively, magical, merry, peaceful, pleasurable,
      productive, restful, speedy, stress-free, stimulating, timely, thrilling, well planned`),
    blame: listed(`boring, exhausting, chaotic, stressful, tedious, painful, disastrous, pointless, rushed,
      depressing, tiring, humiliating, frightening, dull, confusing, slow, late, costly, badly organised,
      embarrassing, gruelling, upsetting, disorganised, difficult, dreary, overpriced, wasted, scary, aggravating,
      badly planned, bewildering, bumpy, calamitous, cheerless, disheartening, dismaying, fruitless, harrowing,
      haphazard, hectic, hurried, interminable, joyless, maddening, nightmarish, overlong, ruinous, sleepless,
      traumatic, tiresome, unproductive, unsuccessful, wearisome`),
  },
];

/** What one does to a thing: base/past. */
export const FEELING = {
  praise: listed(`enjoy/enjoyed, like/liked, love/loved, admire/admired, recommend/recommended,
    appreciate/appreciated, adore/adored, praise/praised, treasure/treasured, welcome/welcomed, trust/trusted,
    respect/respected, cherish/cherished, value/valued, applaud/applauded, relish/relished, savour/savoured,
    favour/favoured, celebrate/celebrated`),
  blame: listed(`hate/hated, regret/regretted, dislike/disliked, despise/despised, dread/dreaded, resent/resented,
    detest/detested, curse/cursed, loathe/loathed, condemn/condemned, fear/feared, reject/rejected,
    criticise/criticised, deplore/deplored, endure/endured, scorn/scorned, avoid/avoided, mistrust/mistrusted,
    abhor/abhorred`),
};

/** What a thing does to people. */
export const EFFECT = {
  praise: listed(`impress/impressed, delight/delighted, please/pleased, charm/charmed, inspire/inspired,
    satisfy/satisfied, amuse/amused, help/helped, entertain/entertained, thrill/thrilled, touch/touched,
    reward/rewarded, move/moved, cheer/cheered, comfort/comforted, interest/interested, convince/convinced,
    excite/excited, enchant/enchanted, encourage/encouraged, fascinate/fascinated, captivate/captivated,
    dazzle/dazzled, reassure/reassured, soothe/soothed, engage/engaged, uplift/uplifted, enrich/enriched,
    console/consoled, surprise/surprised`),
  blame: listed(`disappoint/disappointed, bore/bored, annoy/annoyed, irritate/irritated, frustrate/frustrated,
    confuse/confused, insult/insulted, upset/upset, cheat/cheated, bother/bothered, embarrass/embarrassed,
    exhaust/exhausted, offend/offended, deceive/deceived, hurt/hurt, disgust/disgusted, anger/angered,
    depress/depressed, worry/worried, tire/tired, harm/harmed, discourage/discouraged, appal/appalled,
    sicken/sickened, alienate/alienated, mislead/misled, infuriate/infuriated, dismay/dismayed, scare/scared,
    drain/drained, numb/numbed, sadden/saddened, repel/repelled, shock/shocked, torment/tormented`),
};

/** What a thing does by itself. */
export const DOING = {
  praise: listed(`work/worked, succeed/succeeded, shine/shone, improve/improved, last/lasted, deliver/delivered,
    convince/convinced, impress/impressed, come alive/came alive, flourish/flourished, sparkle/sparkled,
    thrive/thrived, hold up/held up, pay off/paid off, win us over/won us over,
    live up to its name/lived up to its name`),
  blame: listed(`fail/failed, break/broke, crash/crashed, fall apart/fell apart, drag/dragged,
    disappoint/disappointed, suffer/suffered, collapse/collapsed, fall flat/fell flat, go wrong/went wrong,
    break down/broke down, make me angry/made me angry, let us down/let us down, jam/jammed, leak/leaked,
    stall/stalled, stink/stank, sag/sagged, get stuck/got stuck, wear out/wore out, fizzle out/fizzled out,
    lose its way/lost its way, give me a headache/gave me a headache, squeak/squeaked, rattle/rattled`),
};

/** What a thing is. */
export const THING = {
  praise: listed(`success, joy, triumph, delight, pleasure, treat, gem, masterpiece, bargain, treasure, miracle, hit,
    blessing, relief, wonder, winner, good idea, good choice, work of art, improvement, great help, place to remember,
    feast, classic, jewel, revelation, feat, achievement, inspiration, knockout, asset, boon, godsend, comfort,
    bright spot, good deal, crowd-pleaser, must, tonic, victory, tour de force, labour of love`),
  blame: listed(`disaster, mess, failure, waste of time, flop, bore, nightmare, scandal, letdown, disgrace, mistake,
    torture, insult, chore, catastrophe, fraud, rip-off, bad idea, waste of money, disappointment, joke, problem,
    burden, swindle, trap, shambles, misery, dud, debacle, ordeal, fiasco, eyesore, farce, blunder, travesty,
    dead end, embarrassment, menace, pain, hazard, setback, abomination, hoax, lemon, snooze, slog, drag, turkey,
    bad joke, wasted opportunity, sham, nuisance, bitter pill`),
};

/** What a thing has. */
export const HAVING = {
  praise: listed(`charm, warmth, wit, taste, flavour, comfort, kindness, humour, energy, style, joy, imagination,
    grace, skill, talent, beauty, care, heart, life, class, quality, suspense, depth, magic, originality, merit,
    logic, patience, substance, intelligence, purpose, passion, soul, ideas, surprises, laughs, insight, tension, fun,
    affection, brilliance, character, cheer, conviction, courage, elegance, emotion, enthusiasm, feeling, freshness,
    generosity, harmony, honesty, hope, integrity, inventiveness, love, mischief, nuance, polish, promise, sparkle,
    spirit, subtlety, sympathy, tenderness, thrills, understanding, vitality, wisdom`),
  blame: listed(`flaws, problems, mistakes, faults, bugs, noise, dirt, delays, complaints, nonsense, errors, trouble,
    pain, stains, lies, clichés, holes, arguments, weaknesses, confusion, boredom, chaos, defects, quarrels, regrets,
    damage, stress, fuss, disappointments, bad jokes, leaks, rubbish, misery, cruelty, hidden costs, queues, tears,
    scratches, accidents, aggression, annoyances, bitterness, blunders, breakdowns, contempt, contradictions,
    corruption, crumbs, cynicism, drawbacks, dust, excuses, filler, gaps, greed, hatred, hostility, insults, lapses,
    malice, mould, pests, pretension, quibbles, scandals, shortcomings, side effects, smells, snobbery, surcharges,
    typos, vermin, waste`),
};

/** How something is done. */
export const MANNER = {
  praise: listed(`well, beautifully, wonderfully, perfectly, brilliantly, smoothly, kindly, nicely, superbly,
    carefully, gracefully, skilfully, convincingly, properly, fairly, elegantly, admirably, attentively, cheerfully,
    cleverly, efficiently, flawlessly, generously, honestly, neatly, patiently, politely, thoughtfully, tenderly,
    with care, with love, with style`),
  blame: listed(`badly, poorly, terribly, horribly, awfully, carelessly, clumsily, rudely, miserably, sloppily,
    unfairly, dreadfully, unkindly, shabbily, wrongly, awkwardly, brutally, crudely, cruelly, dishonestly, grudgingly,
    hastily, impatiently, ineptly, lazily, recklessly, stiffly, thoughtlessly, woodenly, without care`),
};
