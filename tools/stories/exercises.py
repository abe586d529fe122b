#!/usr/bin/env python3
"""Writes short exercises in the style of the stories. They call persons by names that were given earlier.

    python3 tools/stories/exercises.py [--count N]

prepare.py mixes them into the data of recipe stories. Only a model that copies names predicts them, because most
names are rare or invented. No template is one of copying.js: the five words and marks before a name differ
(tests/tools/exercises.test.js).
"""
import argparse
import random
import re

# The most frequent names of real stories, which a model otherwise expects everywhere.
FREQUENT = {
    "girl": "Lily Sue Mia Lucy Amy Anna Sally Sara Jane Daisy Sarah Emma Jill Lila Bella Mary Molly Lisa Betty Jenny".split(),
    "boy": "Tim Tom Max Sam Ben Timmy Bob Jack John Billy Buddy Fin Tommy Benny Joe Jimmy Peter Fred Jim Leo".split(),
}
ANIMALS = "cat dog bear bunny frog fox mouse duck lion pig turtle squirrel owl monkey cow horse bee puppy kitten hen".split()
# From prose to placeholder: he, him, his, and He at the start of a sentence.
PRONOUNS = {"girl": ("she", "her", "her"), "boy": ("he", "him", "his")}

WORDS = {
    "thing": """doll drum book hat shell spoon cookie blanket rope lamp bell button coin leaf feather box cup pencil map puzzle
        rock stick basket bucket shovel scarf ribbon balloon whistle candle key letter pear carrot banana sandwich muffin pie
        egg seed robot truck train boat plane block brush mirror ring crown mask marble sticker towel umbrella boot jar
        pillow tent ladder net bowl plate necklace flute bag stone pumpkin wagon sled hammer""".split(),
    "adj": "big small red green old new shiny soft pretty round yellow tiny funny nice long white pink dirty warm little".split(),
    "look": "small tall kind brave young clever funny gentle quiet strong little".split(),
    "feel": "sad happy tired scared hungry cold sick shy lonely angry proud bored worried sleepy".split(),
    "place": """garden kitchen yard pond farm forest river school shop hill barn lake library playground house bridge zoo
        field market cave""".split(),
    "spot": "chair table bush rock box bench blanket log wagon shed door boat".split(),
    "near": "behind under near beside".split(),
    "food": "soup bread cheese rice milk juice honey jam pasta popcorn".split(),
    "game": "swim sing dance paint read cook draw dig hop skate sew fish garden jump".split(),
    "gave": "handed passed showed brought sent lent offered tossed mailed threw".split(),
    "told": "told asked helped thanked followed found kissed called missed tickled visited watched surprised saved".split(),
    "said": "said asked cried shouted whispered called replied laughed".split(),
    "adult": "Mom Dad Grandma Grandpa".split(),
    "greet": """Good evening|Welcome|Be careful|Wait for me|Look at this|Come here|Follow me|Do not worry|Happy birthday|Get well
        soon|Hold my hand|I am sorry|Do not cry|You are right|Hurry up|Well done|Sit down|Wake up|Watch out|I missed you|Listen
        to me|You look {feel}|I love you|This is for you|Have some {food}|Guess what|Stop it|Let me try|Have fun|I have a
        surprise for you|You can do it|I need your help|Take my {thing}|Dinner is ready|See you soon|Good luck|Please
        stay""".replace("\n        ", " ").split("|"),
    "ask": """Can you help me|Do you want a {thing}|Did you see my {thing}|Why are you {feel}|Can I have some {food}|What do you
        have there|Do you like {food}|Are you {feel}|May I try|Will you come with me|Is this your {thing}|How are you|Can we
        share the {thing}|Who made this {thing}|Where is the {thing}""".replace("\n        ", " ").split("|"),
    "answer": """Of course|No|I do not know|Sure|Maybe later|Not yet|I would love to|It is mine|You can have it|I found it in the
        {place}|Here it is|A little|It is {near} the {spot}|I am fine""".replace("\n        ", " ").split("|"),
    "filler": """The sun was warm.|It was a nice day.|They laughed a lot.|Birds sang in the trees.|The wind was cold.|They had a
        lot of fun.|It was late.|The {thing} was very {adj}.|Then it began to rain.|Everyone was {feel}.|Soon it was time for
        dinner.|The {place} was quiet.|They went to the {place}.|One day, something happened.|The next day, they met
        again.""".replace("\n        ", " ").split("|"),
    "end": """They were happy.|They were friends forever.|It was the best day.|They all went home.|And they never forgot that
        day.|They smiled.|They learned to share.|They had so much fun.""".replace("\n        ", " ").split("|"),
}

# First sentences for two to four persons A, B, C and D. {A.kind} is girl, boy or an animal.
BEGINNINGS = {
    2: """{A} and {B} lived in a {adj} house.|There were two friends, {A} and {B}.|One morning, {A} saw {B} at the {place}.
        A {A.kind} called {A} lived near the {place}. {A.He} had a friend called {B}.
        Once there was a {A.kind} called {A}. {A} loved to {game}. Next door lived a {B.kind} called {B}.
        {A} went to the {place} with {B}.|{A} and {B} liked to {game}.|It was a nice day. {A} sat {near} the {spot} with {B}.
        One day, {A} was at the {place}. Then {B} came along.|{A} was {feel}. {B} was {feel} too.
        Once upon a time, a {A.kind} called {A} and a {B.kind} called {B} liked to {game}.
        {A} was a {look} {A.kind}. {A.His} best friend was {B}, a {look} {B.kind}.
        {A} had a {thing}. {B} had a {thing}.|{A} was looking for a {thing}. {B} was in the {place}.
        In the {place} lived a {A.kind}. {A.His} name was {A}. A {B.kind} lived there too. {B.His} name was {B}.""",
    3: """Three friends, {A}, {B} and {C}, went to the {place}.|{A} lived with {B} and {C} near the {place}.
        {A} and {B} wanted to {game}. Then {C} came to the {place}.
        Once there was a {A.kind} called {A}. {A.He} met {B} and {C} at the {place}.
        {A}, {B} and {C} were in the {place}.|{A} invited {B} and {C} to the {place}.""",
    4: """{A} and {B} met {C} and {D} at the {place}.|There were four friends: {A}, {B}, {C} and {D}.
        {A}, {B}, {C} and {D} liked to {game} together.""",
}

# Scenes between two persons A and B.
SCENES = """{A} found a {thing}. {A.He} {gave} it to {B}.
    {A} picked up the {thing} and {gave} it to {B}.
    {B} needed a {thing}. So {A} went home and got one for {B}.
    {A} had a {adj} {thing}. {A} let {B} hold it. Soon {B} {gave} it back to {A}.
    {A} made a {thing} from paper. It was a surprise for {B}.
    {A} took the {thing} away from {B}. {B} was {feel}. So {A} said sorry to {B}.
    {adult} told {A} to take some {food} to {B}.
    {A} wrote a letter. The letter was for {B}. When it came, {B} read it. "{greet}," wrote {A}.
    {A} bought two of them. One was for {A}, and the other one was for {B}.
    {A} wanted to give the {thing} to {B}. But {B} already had a {thing}.
    {A} gave {B} a {adj} {thing}. "It is so {adj}!" said {B}.
    "I want to give you my {thing}," said {A}. {B} was very happy.
    {A} threw the {thing} high. It flew over the {spot} and landed next to {B}.
    {A} cooked some {food}. {A.He} put it on a plate for {B}.
    {A} met {B} {near} the {spot}. {A} waved. "{greet}, {B}!" {A.he} said.
    {A} ran to {B}. "{greet}, {B}," said {A}. "{greet}, {A}," said {B}.
    {B} was {feel}. {A} said, "{greet}, {B}!"
    {A} looked at {B} and {said}, "{greet}, {B}!" {B} smiled at {A}.
    {B} opened the door and saw {A}. "{greet}, {A}!" said {B}.
    The phone rang. It was {B}. "{greet}, {B}," said {A} on the phone.
    {B} went to bed. {A} turned off the lamp. "{greet}, {B}," {A.he} whispered.
    {A} gave {B} a hug. "{greet}, {B}."
    {A} woke up. "{greet}, {A}!" said {adult}.
    {adult} came in and saw {A}. "{greet}, {A}," said {adult}.
    "{ask}, {A}?" asked {adult}. "{answer}," {A} answered.
    "{ask}, {B}?" asked {A}. "{answer}," {said} {B}.
    {A} went to {B}. "{ask}?" {A.he} asked. "{answer}," said {B}.
    {A} asked {B} for some {food}. "{answer}," answered {B}.
    {A} wanted to {game}. {A.He} asked if {B} could come. "{answer}," said {B}.
    "{ask}, {B}?" said {A}. {B} thought about it. Then {B} said, "{answer}, {A}."
    "{greet}, {A}!" called {adult} from the {place}. "{answer}," shouted {A}.
    "{greet}, {A}!" said {B}. "{greet}, {B}!" said {A}.
    A {B.kind} came along. "I am {B}," said the {B.kind}. "What a nice name, {B}!" said {A}.
    "What is your name?" asked {A}. "{B}," said the {B.kind}. "Can we be friends, {B}?"
    "They call me {A}," said the {A.kind}. "Can you {game}, {A}?" asked {B}.
    "I am {A}. Who are you?" the {A.kind} asked. "{greet}, {A}. I am {B}."
    {A} was lost. {B} looked for {A} in the {place}. At last {B} found {A}.
    {A} could not get out of the {place}. {B} took a {thing} and pulled. Soon the {thing} helped {A}.
    {A} got hurt. {B} carried {A} home. Then {adult} took care of {A}.
    The wind was strong. {A} was {feel}. {A} held on to {B}.
    {A} was late. So {B} had to wait for {A}.
    {A} was {feel}, so {B} sang a song for {A}. "{greet}, {B}," said {A}.
    {A} closed {A.his} eyes and counted to ten. {B} hid {near} the {spot}. {A} looked there and found {B}.
    {A} tried to {game}. But it was too hard for {A}. Then {B} {told} {A}.
    {A} painted a {adj} {thing}. Everyone clapped for {A}. "{greet}, {A}," said {B}.
    {A} could jump high, but {B} could jump higher than {A}.
    {A} and {B} wanted to see who could {game} best. {B} was better than {A}. So {adult} gave the prize to {B}.
    {A} told a secret to {B}. It made {B} laugh.
    One night, {A} had a dream about {B}. In the dream, {B} had a {thing}.
    "This {thing} is for {B}," said {A}. {B.He} took it. "{greet}, {A}!"
    {A} knew that {B} liked {food}. So {A} shared the {food} with {B}.
    {A} hid the {thing} {near} the {spot}. {A.He} did not tell {B}.
    {B} did not want to {game}. {A} was {feel}, because {A.he} wanted to {game} with {B}.
    {A} sat {near} the {spot}. {B} sat next to {A}. {A} smiled at {B}.
    {adult} had a {thing}. "Who wants it?" asked {adult}. "I do!" said {A}. So {adult} gave it to {A}.
    {A} lost a {thing}. {B} saw it {near} the {spot}. "{greet}, {A}!" {B.he} called.
    {A} was {feel}. {B} gave some {food} to {A}.
    The {thing} belonged to {A}. {B} borrowed it. Later, {B} brought it back to {A}.
    {A} {told} {B}. Then {B} {told} {A}.
    {A} likes {thing}s. That is why {B} has a {thing} for {A}."""
# Scenes of three persons.
SCENES_OF_THREE = """{A} cut the pie. One piece was for {A}, one was for {B}, and one was for {C}.
    {A} {gave} a {thing} to {B}. {A.He} had one more {thing}. It was for {C}.
    {A} told {B} a secret. Later, {B} told it to {C}.
    {A} hid with {B} {near} the {spot}. They hid from {C}.
    {A} and {B} were there, but one friend was missing. It was {C}. "{greet}, {C}!" they called.
    {A} said, "{ask}?" "No," said {B}. "Yes, I can," said {C}.
    {A} and {B} {told} {C}. "{greet}, {A} and {B}," said {C}.
    "This one is for {A}, and that one is for {B}," said {C}. "{greet}, {C}," said {A} and {B}."""


def lines(text):
    return [line.strip() for line in re.split(r"\n|\|", text) if line.strip()]


BEGINNINGS = {count: lines(text) for count, text in BEGINNINGS.items()}
SCENES, SCENES_OF_THREE = lines(SCENES), lines(SCENES_OF_THREE)


def invented(rng):
    """A name of two or three random syllables, such as Brimoka."""
    def syllable():
        return rng.choice("b br ch d dr f g gr h j k kl l m n p pl r s sh t tr v w z".split()) + rng.choice("aeiou")
    name = "".join(syllable() for _ in range(rng.choice((2, 2, 3)))) + rng.choice(("", "", "n", "l", "r", "x", "th"))
    return name.capitalize()


def cast(rng, count, draw):
    """Persons with different names. draw(sex) gives a further name."""
    persons = []
    while len(persons) < count:
        sex = rng.choice(("girl", "boy"))
        chance = rng.random()
        name = rng.choice(FREQUENT[sex]) if chance < 0.35 else draw(sex) if chance < 0.7 else invented(rng)
        if name in (person["name"] for person in persons):
            continue
        he, him, his = PRONOUNS[sex]
        persons.append({"name": name, "kind": sex if rng.random() < 0.75 else rng.choice(ANIMALS), "he": he, "him": him,
                        "his": his, "He": he.capitalize(), "His": his.capitalize()})
    return persons


def fill(rng, template, persons):
    """The template with a person for each letter, and a random word for each other placeholder. A thing stays the same."""
    chosen = {}

    def value(match):
        key, _, part = match.group(1).partition(".")
        if key in persons:
            return persons[key][part or "name"]
        if key not in chosen or key not in ("thing", "food", "game", "spot", "adult"):
            chosen[key] = rng.choice(WORDS[key])
        return chosen[key]
    while "{" in template:
        template = re.sub(r"\{([\w.]+)\}", value, template)
    template = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", template)
    return re.sub(r'(^|[.!?] "?|^"|, ")([a-z])', lambda m: m.group(1) + m.group(2).upper(), template)


def exercise(rng, draw):
    """A beginning, two to six scenes in random roles, and often an end."""
    persons = cast(rng, rng.choice((2, 2, 2, 2, 3, 3, 4)), draw)
    roles = lambda people: dict(zip("ABCD", people))
    paragraphs = [[fill(rng, rng.choice(BEGINNINGS[len(persons)]), roles(persons))]]
    for _ in range(rng.randint(2, 6)):
        three = len(persons) > 2 and rng.random() < 0.4
        people = rng.sample(persons, 3 if three else 2)
        parts = [fill(rng, rng.choice(SCENES_OF_THREE if three else SCENES), roles(people))]
        if rng.random() < 0.25:
            parts.insert(rng.randint(0, 1), fill(rng, rng.choice(WORDS["filler"]), {}))
        if rng.random() < 0.35:
            paragraphs.append([])
        paragraphs[-1] += parts
    if rng.random() < 0.8:
        paragraphs[-1].append(fill(rng, rng.choice(WORDS["end"]), {}))
    return "\n".join(" ".join(paragraph) for paragraph in paragraphs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10)
    count = parser.parse_args().count
    source = random.Random(1)
    for _ in range(count):
        print(exercise(source, lambda sex: invented(source)) + "\n")
