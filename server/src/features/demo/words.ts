import type { promptIds } from '@duet/contract/catalogue.ts'

export type PromptId = (typeof promptIds)[number]

/** How people begin to tell about themselves; any beginning goes with any end. */
export const beginnings = [
  'I repair old radios and pretend it is not a hobby.',
  'Nurse on a night ward, so my weekends are Tuesdays.',
  'I teach maths to fourteen-year-olds and still like both.',
  'I bake bread for a small café and eat most of the mistakes.',
  'Half of my week is landscape gardening, the other half is mud.',
  'I translate subtitles. Yes, I heard that line. No, I could not fit it in.',
  'Moved here with two suitcases and a cello.',
  'Bus driver with opinions about cyclists, and a cyclist with opinions about buses.',
  'I draw maps for a living and get lost on foot.',
  'Vet for small animals, aunt of three bigger ones.',
  'I write software for hospitals and letters on paper.',
  'My grandmother taught me cards, my grandfather taught me to lose.',
  'I restore furniture that other people gave up on.',
  'Third year of my second degree. The first one was a misunderstanding.',
  'I run a stall at the Saturday market: cheese, honey, gossip.',
  'Architect of very small houses.',
  'I play the double bass, which is why I know everybody with a van.',
  'Marine biologist a long way from the sea.',
  'I sew costumes for the theatre and have strong feelings about buttons.',
  'Physiotherapist. I will notice how you sit, and say nothing.',
]

export const ends = [
  'Looking for someone who can be quiet in good company.',
  'Happiest on a train with a window seat and no signal.',
  'I cook too much, so bring a box.',
  'Ask me about the goat.',
  'I answer slowly and mean it.',
  'If you like swimming in cold lakes, we will get on. If not, hold my towel.',
  'Two cats run the flat. I pay the rent.',
  'I laugh at my own jokes, somebody has to.',
  'On Sundays I walk until there is cake.',
  'I would rather go somewhere than talk about going.',
  'Learning to dance. Progress is a strong word.',
  'I keep plants alive and promises too.',
  'I still buy the newspaper, mainly for the crossword.',
  'Please recommend me a book you argued with.',
  'Early riser by profession, night owl by heart.',
  'There is always soup.',
  'I know every bench with a view in this town.',
  'Bad at small talk, good at long walks.',
  'I sing in a choir, third row, slightly flat.',
  'My phone is mostly photos of other people’s dogs.',
]

const split = (text: string) => text.split(' | ')

/** What people answer to a prompt: any first part goes with any second part. */
export const answers: Record<PromptId, [first: string[], second: string[]]> = {
  proud_of: [
    split(
      'Finishing a marathon, | Raising my little brother, | Passing my driving test, | Building my own table, | Learning to swim at thirty, | Quitting the wrong job,',
    ),
    split(
      'and crying only twice. | against all advice. | on the fourth try. | with a lot of help. | and telling nobody until it was done. | and sleeping well since.',
    ),
  ],
  argue_about: [
    split(
      'Whether soup is a drink, | The best seat in a cinema, | How to load a dishwasher, | Pineapple, anywhere, | The right way to fold a map, | Whether cats have humour,',
    ),
    split(
      'until one of us gets hungry. | with diagrams. | and I am ready to be wrong. | loudly, then over dessert. | though I have the better evidence. | for at least one tram ride.',
    ),
  ],
  perfect_sunday: [
    split(
      'Market, coffee, a long lunch, | Rain on the roof and a thick book, | First tram to the lake, | Pancakes for anyone who knocks, | A museum I have never been to, | Nothing before eleven,',
    ),
    split(
      'then a film that is too long. | and home before dark. | with the phone in a drawer. | and a nap nobody mentions. | and friends who stay too late. | then soup.',
    ),
  ],
  learned_late: [
    split(
      'How to ask for help, | That artichokes have a trick, | How to whistle, | To leave parties without explaining, | Riding a bicycle, | That my father was funny,',
    ),
    split(
      'at twenty-nine. | and now I overdo it. | from a child. | on a Tuesday, by accident. | and it changed my summers. | better than never.',
    ),
  ],
  make_me_laugh: [
    split(
      'Goats. | Bad translations on menus. | People who talk to their plants. | Serious newsreaders who lose it. | My own driving. | Very small dogs with very large sticks.',
    ),
    split(
      'Every time. | I cannot explain it. | I have a collection. | Even at funerals, sadly. | Send evidence. | Twice, if you tell it again.',
    ),
  ],
  green_flag: [
    split(
      'You are kind to waiters, | You finish other people’s crosswords, | You call your grandmother, | You have a favourite tree, | You say when you are wrong, | You bring an umbrella for two,',
    ),
    split(
      'and do not make a thing of it. | even when tired. | without being asked. | and can say why. | and still have opinions. | most of the time.',
    ),
  ],
  teach_you: [
    split(
      'To fold dumplings, | To read a tide table, | To swear politely in Polish, | To fix a puncture, | To float on your back, | Three chords and a song,',
    ),
    split(
      'in one evening. | if you bring patience. | badly but with joy. | and you will never forget it. | in exchange for dinner. | no talent required.',
    ),
  ],
  never_tire_of: [
    split(
      'Night trains, | The smell of a bakery at five, | Thunderstorms from a balcony, | Old maps, | Watching people meet at stations, | The first swim of the year,',
    ),
    split(
      'and I have tried. | in any country. | with tea. | especially alone, best with one other. | ask my friends. | it is a little embarrassing.',
    ),
  ],
  first_round_on_me: [
    split(
      'if you know all the words to any opera, | if you have met a whale, | if you beat me at table football, | if you were ever in a brass band, | if you can name five mosses, | if your name is in a footnote,',
    ),
    split(
      'sober. | and can prove it. | two out of three. | the second one too. | no questions asked. | and the crisps.',
    ),
  ],
  small_joy: [
    split(
      'Fresh sheets, | A bus that waits, | The corner piece, | Finding money in a winter coat, | A dog that leans on you, | Green lights all the way home,',
    ),
    split(
      'and nobody to tell. | on a Monday. | after a long shift. | every single time. | and the radio playing something good. | worth a whole week.',
    ),
  ],
  unpopular_opinion: [
    split(
      'Cake is better on the second day, | Winter is the best season, | Small talk is underrated, | Most films are twenty minutes too long, | Tea beats coffee, | Airports are relaxing,',
    ),
    split(
      'and I will not discuss it. | fight me gently. | with cold milk. | everybody knows it secretly. | and my sister agrees. | change my mind over lunch.',
    ),
  ],
  best_trip: [
    split(
      'A week on a slow boat, | Hitch-hiking to a wedding, | The wrong train in Slovenia, | Cycling along the river, | A village with one phone box, | Three days snowed in,',
    ),
    split(
      'with my grandmother. | and no plan at all. | in the rain, happily. | and I would do it again tomorrow. | with a borrowed tent. | we still talk about it.',
    ),
  ],
  cook_for_you: [
    split(
      'My aunt’s lentils, | Handmade noodles, | Shakshuka for breakfast, | A stew that takes all day, | Anything with aubergine, | Pierogi,',
    ),
    split(
      'and far too much bread. | with stories. | if you chop the onions. | and you may have the last one. | from memory, so be brave. | with the windows open.',
    ),
  ],
  looking_for: [
    split(
      'Somebody curious, | Someone to share a bench with, | A good listener who interrupts, | A person who reads signs aloud, | Somebody steady, | Someone who sends voice messages,',
    ),
    split(
      'no hurry. | and then we will see. | for more than a summer. | with their own plans. | who also likes silence. | and dogs, ideally.',
    ),
  ],
  ask_me_about: [
    split(
      'my year on a lighthouse, | the tattoo, | my neighbour’s parrot, | bees, | how I lost a canoe, | the choir tour,',
    ),
    split(
      'but bring time. | I dare you. | it is not what you think. | and watch me not stop. | after the second drink. | my mother still does.',
    ),
  ],
  song_on_repeat: [
    split(
      'Something sad with trumpets, | Whatever my niece sings, | Old Brazilian records, | One piano piece I cannot play, | The same album since school, | Anything with handclaps,',
    ),
    split(
      'on the way to work. | while cooking. | sorry, neighbours. | for three weeks now. | loud, with the windows down. | until I know every breath.',
    ),
  ],
}
