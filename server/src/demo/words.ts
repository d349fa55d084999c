import type { promptIds } from '@duet/contract/catalogue.ts'

export type PromptId = (typeof promptIds)[number]

const split = (text: string) => text.split(' | ')

/** Answers to prompts. Every first part fits every second part, at any age. */
export const answers: Record<PromptId, [first: string[], second: string[]]> = {
  proud_of: [
    split(
      'Finishing a marathon, | Raising my little brother, | Passing my driving test, | Building my own table, | Learning to swim as a grown-up, | Quitting the wrong job, | Writing one good song, | Learning my neighbour’s language, | My tomato harvest, | Reading the longest book I own,',
    ),
    split(
      'and crying only twice. | against all advice. | on the fourth try. | with a lot of help. | and telling no one until it was done. | and sleeping well since. | after three years of trying. | and my mother cried. | with no app involved. | mostly out of spite.',
    ),
  ],
  argue_about: [
    split(
      'Whether soup is a drink, | The best seat in a cinema, | How to load a dishwasher, | Pineapple, anywhere, | The right way to fold a map, | Whether cats have humour, | Whether a hot dog is a sandwich, | When winter begins, | The correct way to slice bread, | If tomatoes belong in the fridge,',
    ),
    split(
      'until one of us gets hungry. | with diagrams. | and I’m ready to be wrong. | loudly, then over dessert. | though I have the better evidence. | for at least one tram ride. | with anyone who has time. | by letter, if needed. | on every long drive. | and I enjoy losing.',
    ),
  ],
  perfect_sunday: [
    split(
      'Market, coffee, a long lunch, | Rain on the roof and a thick book, | First tram to the lake, | Pancakes for anyone who knocks, | A museum I’ve never been to, | Nothing before eleven, | A flea market at eight, | A long bath and the radio, | Swimming before anyone’s up, | Fixing my bike in the sun,',
    ),
    split(
      'then a film that is too long. | and home before dark. | with the phone in a drawer. | and a nap no one mentions. | and friends who stay too late. | then soup. | and calling my grandmother. | followed by dumplings. | and no plans after that. | with the good bread.',
    ),
  ],
  learned_late: [
    split(
      'How to ask for help, | That artichokes have a trick, | How to whistle, | To leave parties without explaining, | Riding a bicycle, | That my father was funny, | To say no, | How to poach an egg, | That naps count, | To read a train timetable,',
    ),
    split(
      'last winter. | and now I overdo it. | from a child. | on a Tuesday, by accident. | and it changed my summers. | better than never. | and I’m insufferable about it. | the hard way. | thanks to a neighbour. | in the middle of an exam.',
    ),
  ],
  make_me_laugh: [
    split(
      'Goats. | Bad translations on menus. | People who talk to their plants. | Serious newsreaders who lose it. | My own driving. | Very small dogs with very large sticks. | Ducks in a hurry. | My sister imitating me. | Wrong numbers that turn into chats. | Cats that miss the jump.',
    ),
    split(
      'Every time. | I can’t explain it. | I have a collection. | Even at funerals, sadly. | Send evidence. | Twice, if you tell it again. | No exceptions. | Ask my colleagues. | Out loud, on trains. | It’s a weakness.',
    ),
  ],
  green_flag: [
    split(
      'You’re kind to waiters, | You finish other people’s crosswords, | You call your grandmother, | You have a favourite tree, | You say when you’re wrong, | You bring an umbrella for two, | You water other people’s plants, | You’re early for trains, | You know the baker’s name, | You ask a second question,',
    ),
    split(
      'and don’t make a thing of it. | even when tired. | without being asked. | and can say why. | and still have opinions. | most of the time. | and laugh about it. | and mean it. | for no reason. | even on Mondays.',
    ),
  ],
  teach_you: [
    split(
      'To fold dumplings, | To read a tide table, | To fall over without getting hurt, | To fix a puncture, | To float on your back, | Three chords and a song, | To whistle with two fingers, | To bake a proper rye loaf, | The names of ten stars, | To shuffle cards like a villain,',
    ),
    split(
      'in one evening. | if you bring patience. | badly but with joy. | and you’ll never forget it. | in exchange for dinner. | no talent required. | and you’ll teach me something. | while it rains. | if you promise to practise. | in about an hour.',
    ),
  ],
  never_tire_of: [
    split(
      'Night trains, | The smell of a bakery at five, | Thunderstorms from a balcony, | Old maps, | Watching people meet at stations, | The first swim of the year, | The sea in November, | Hearing people talk about their work, | Fresh bread with salt and butter, | Ferries,',
    ),
    split(
      'and I’ve tried. | in any country. | with tea. | especially alone, best with one other. | ask my friends. | it’s a little embarrassing. | not even on Mondays. | and I’ve got the photos. | at any age. | since I was six.',
    ),
  ],
  first_round_on_me: [
    split(
      'if you know all the words to any opera, | if you’ve met a whale, | if you beat me at table football, | if you were ever in a brass band, | if you can name five mosses, | if your name is in a footnote, | if you’ve ever won a raffle, | if you can whistle, | if your first bike had a name, | if you can fold a fitted sheet,',
    ),
    split(
      'sober. | and can prove it. | two out of three. | the second one too. | no questions asked. | and the crisps. | on the spot. | and teach me. | honestly. | and dessert.',
    ),
  ],
  small_joy: [
    split(
      'Fresh sheets, | A bus that waits, | The corner piece, | Finding money in a winter coat, | A dog that leans on you, | Green lights all the way home, | The first coffee, | An empty swimming lane, | A letter in the post, | The smell of rain,',
    ),
    split(
      'and no one to tell. | on a Monday. | after a long shift. | every single time. | and the radio playing something good. | worth a whole week. | before anyone’s awake. | and nowhere to be. | with the window open. | for no reason at all.',
    ),
  ],
  unpopular_opinion: [
    split(
      'Cake is better on the second day, | Winter is the best season, | Small talk is underrated, | Most films are twenty minutes too long, | Tea beats coffee, | Airports are relaxing, | Board games should last under an hour, | Breakfast is the best dinner, | Books are better with notes in them, | Camping is just cooking outside,',
    ),
    split(
      'and I won’t discuss it. | fight me gently. | with cold milk. | everyone secretly agrees. | and my sister agrees. | change my mind over lunch. | and I have witnesses. | I’ll die on this hill. | I said what I said. | and it’s not close.',
    ),
  ],
  best_trip: [
    split(
      'A week on a slow boat, | Hitch-hiking to a wedding, | The wrong train in Slovenia, | Cycling along the river, | A village with one phone box, | Three days snowed in, | Two weeks on one train ticket, | A ferry we took by mistake, | Walking home from another country, | A wedding on an island,',
    ),
    split(
      'with my grandmother. | and no plan at all. | in the rain, happily. | and I’d do it again tomorrow. | with a borrowed tent. | we still talk about it. | and only one rucksack. | and twelve cheese rolls. | when everything was closed. | with my best friend.',
    ),
  ],
  cook_for_you: [
    split(
      'My aunt’s lentils, | Handmade noodles, | Shakshuka for breakfast, | A stew that takes all day, | Anything with aubergine, | Pierogi, | Tomato soup from scratch, | Dumplings, folded badly, | A proper curry, | Whatever the market has,',
    ),
    split(
      'and far too much bread. | with stories. | if you chop the onions. | and you may have the last one. | from memory, so be brave. | with the windows open. | with candles, obviously. | while you pick the music. | and you do the dishes. | late, but worth it.',
    ),
  ],
  looking_for: [
    split(
      'Someone curious, | Someone to share a bench with, | A good listener who interrupts, | A person who reads signs aloud, | Someone steady, | Someone who sends voice messages, | Someone kind and a bit odd, | My plus-one for everything, | Someone who stays for the credits, | A partner for very long walks,',
    ),
    split(
      'no hurry. | and then we’ll see. | for more than a summer. | with their own plans. | who also likes silence. | and dogs, ideally. | and a shared umbrella. | and we’ll take it from there. | for weekdays as well. | who laughs easily.',
    ),
  ],
  ask_me_about: [
    split(
      'my year on a lighthouse, | the tattoo, | my neighbour’s parrot, | bees, | how I lost a canoe, | the choir tour, | the goat incident, | my worst haircut, | the night train, | that one wedding,',
    ),
    split(
      'but bring time. | I dare you. | it’s not what you think. | and watch me not stop. | after the second drink. | my mother still does. | when we meet. | at your own risk. | I’m still recovering. | there are pictures.',
    ),
  ],
  song_on_repeat: [
    split(
      'Something sad with trumpets, | Whatever my niece sings, | Old Brazilian records, | One piano piece I can’t play, | The same album since school, | Anything with handclaps, | A waltz from an old film, | Anything my brother plays, | One song in a language I don’t speak, | The whole of one live album,',
    ),
    split(
      'on the way to work. | while cooking. | sorry, neighbours. | for three weeks now. | loud, with the windows down. | until I know every breath. | in the shower. | every autumn. | and I know the dance. | on night buses.',
    ),
  ],
}
