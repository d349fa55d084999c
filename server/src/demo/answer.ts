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
    'Hi! Glad you wrote first.',
    'Hello you. How’s your day going?',
    'Hey! I was hoping for a message that isn’t from my dentist.',
  ],
  thanks: ['Any time.', 'You’re welcome. I take payment in cake.', 'Of course!'],
  bye: ['Sleep well. I want to hear the rest tomorrow.', 'Talk soon!', 'Good night. This was nice.'],
  meet: [
    'I’d like that. Somewhere with daylight and good coffee, for a start?',
    'Yes. I’m free after five, or all of Sunday.',
    'Happily. You pick the place, I’ll pick the bench.',
  ],
  place: [
    'Not far from you, by the look of it. You?',
    'A bit outside, where the tram line ends.',
    'Near the park with the crooked fountain. Do you know it?',
  ],
  work: ['{bio} And you?', 'Long story, some of it’s on my profile. What do you do all day?'],
  how: ['Good! Tired in a nice way. You?', 'Better since I sat down. How about you?', 'Busy, but the kettle is on.'],
  laugh: [
    'I’m glad someone’s laughing. Usually it’s just me.',
    'There’s more where that came from.',
    'That was the easy one.',
  ],
  question: [
    'Good question. I’d say mostly yes. What about you?',
    'Hm. Ask me again after breakfast.',
    'Depends who’s asking. For you, yes.',
    'I had to think about that. Yes, I think so.',
  ],
  else: [
    'Tell me more.',
    'I didn’t expect that. Go on?',
    'I know exactly what you mean.',
    'Since we’re sharing: {answer}',
    'You sound like someone with stories.',
    'I like how you put that.',
  ],
}

function fill(text: string, person: DemoPerson, turn: number): string {
  const prompt = person.prompts[turn % person.prompts.length]
  return text.replace('{bio}', person.bio.split(/(?<=\.) /)[0] ?? '').replace('{answer}', prompt?.answer ?? '')
}

export function answerTo(text: string, person: DemoPerson, turn: number): string {
  const [kind] = signs.find(([, pattern]) => pattern.test(text)) ?? ['else' as const]
  const choices = replies[kind]
  const start = person.name.length + person.age
  return fill(choices[(start + turn) % choices.length] as string, person, turn)
}
