import type { DemoPerson } from './people.ts'

type Kind = 'hello' | 'thanks' | 'bye' | 'meet' | 'place' | 'work' | 'how' | 'laugh' | 'question' | 'else'

const signs: [Kind, RegExp][] = [
  ['meet', /\b(meet|coffee|drink|dinner|lunch|date|tonight|tomorrow|weekend|saturday|sunday|walk with)\b/i],
  ['thanks', /\b(thanks?|thank you|gracias|danke|merci)\b|شكرا/i],
  ['bye', /\b(bye|good ?night|see you|later|adios|adiós)\b|تصبح/i],
  ['work', /\b(work|job|do you do|living)\b/i],
  ['place', /\b(where|live|from|city|neighbou?rhood)\b/i],
  ['how', /\b(how are you|how is it going|how was|what's up|qué tal|cómo estás)\b|كيف/i],
  ['laugh', /(haha|hehe|lol|jaja|😂|🤣|😄|ههه)/i],
  ['hello', /^\s*(hi|hey|hello|hola|good (morning|evening)|salam|مرحبا)\b/i],
  ['question', /[?؟¿]/],
]

const replies: Record<Kind, string[]> = {
  hello: [
    'Hi! Nice of you to write first.',
    'Hello you. How is your day treating you?',
    'Hey! I was hoping for a message and not from my dentist.',
  ],
  thanks: ['Any time.', 'You are welcome. I take payment in cake.', 'Of course!'],
  bye: ['Sleep well. Tomorrow I want to hear the rest.', 'Until soon!', 'Good night. This was nice.'],
  meet: [
    'I would like that. Somewhere with daylight and good coffee, for a start?',
    'Yes. I am free after five, or all of Sunday.',
    'Gladly. You choose the place, I choose the bench.',
  ],
  place: [
    'Not far from you, by the look of it. You?',
    'A bit outside, where the trams turn round.',
    'Near the park with the crooked fountain. Do you know it?',
  ],
  work: ['{bio} And you?', 'Long story, it is partly on my profile. What fills your days?'],
  how: ['Good! Tired in the nice way. You?', 'Better since I sat down. How about you?', 'Busy, but the kettle is on.'],
  laugh: [
    'I am glad somebody laughs. Usually it is only me.',
    'I have more where that came from.',
    'That was the easy one.',
  ],
  question: [
    'Good question. I would say: mostly yes. What about you?',
    'Hm. Ask me again after breakfast.',
    'It depends on who is asking. You may.',
    'I had to think about that. Yes, I believe so.',
  ],
  else: [
    'Tell me more.',
    'I did not expect that. Go on?',
    'That I understand very well.',
    'Since we are telling things: {answer}',
    'You sound like somebody with stories.',
    'I like how you put that.',
  ],
}

function fill(text: string, person: DemoPerson, turn: number): string {
  const prompt = person.prompts[turn % person.prompts.length]
  return text.replace('{bio}', person.bio.split(/(?<=\.) /)[0] ?? '').replace('{answer}', prompt?.answer ?? '')
}

/** What a demo person says to a text: it looks at the words and at their own profile. `turn` varies it. */
export function answerTo(text: string, person: DemoPerson, turn: number): string {
  const [kind] = signs.find(([, pattern]) => pattern.test(text)) ?? ['else' as const]
  const choices = replies[kind]
  const start = person.name.length + person.age
  return fill(choices[(start + turn) % choices.length] as string, person, turn)
}
