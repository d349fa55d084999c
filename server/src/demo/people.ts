import { createHash } from 'node:crypto'
import { interestIds, promptIds } from '@duet/contract/catalogue.ts'
import type { intents } from '@duet/contract/limits.ts'
import type { Facts } from '@duet/contract/profiles.ts'
import type { QuestionAnswer } from '@duet/contract/questions.ts'
import { beginnings, ends } from './bios.ts'
import { answersBy, factsOf } from './facts.ts'
import { origins } from './names.ts'
import type { Look } from './portraits.ts'
import { answers } from './words.ts'

export interface DemoPerson {
  id: string
  email: string
  name: string
  age: number
  days: number
  gender: 'woman' | 'man' | 'nonbinary'
  bio: string
  prompts: { prompt: string; answer: string }[]
  interests: string[]
  intents: (typeof intents)[number][]
  facts: Omit<Facts, 'faith'>
  answers: QuestionAnswer[]
  looks: Look[]
}

const count = 200
const heads = {
  woman:
    'bangs bangs2 bantuKnots bun bun2 buns cornrows2 long longBangs longCurly medium1 medium2 medium3 mediumBangs mediumBangs2 mediumBangs3 mediumStraight hijab afro twists2',
  man: 'afro cornrows dreads1 dreads2 flatTop flatTopLong noHair1 noHair2 pomp shaved1 shaved2 shaved3 short1 short2 short3 short4 short5 turban twists hatBeanie',
  nonbinary: 'short1 short4 mohawk2 medium2 bangs2 hatHip twists pomp mediumStraight dreads2',
}
const gray = { woman: 'grayBun grayMedium', man: 'grayShort noHair3', nonbinary: 'grayShort grayMedium' }
const clothes = ['8fa7df', 'ffcf77', 'fdea6b', '78e185', '9ddadb', 'e279c7', 'e78276', 'c7b8ea', 'f2b5a0', 'a8c69f']
const glasses = ['glasses', 'glasses2', 'glasses3', 'glasses4', 'glasses5']
const beards = ['full', 'full2', 'full3', 'full4', 'goatee1', 'goatee2', 'moustache1', 'moustache3', 'chin']
const rooted = /afro|bantu|twists|dreads|cornrows|turban|hijab/
const calm = ['smile', 'calm', 'cute']
const wanted: DemoPerson['intents'][] = [
  ['relationship'],
  ['relationship', 'dating'],
  ['dating'],
  ['friendship'],
  ['open', 'dating'],
  ['relationship', 'friendship'],
]

function chance(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32
}
function pick<T>(list: readonly T[], text: string): T {
  return list[Math.floor(chance(text) * list.length)] as T
}

function idOf(number: number): string {
  const hex = createHash('sha256').update(`duet demo ${number}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function genderOf(number: number): DemoPerson['gender'] {
  if (number % 12 === 11) return 'nonbinary'
  return number % 2 === 0 ? 'woman' : 'man'
}

// Distributes women and men evenly over the origins. Every twelfth character is nonbinary and has the next origin.
function originOf(number: number): (typeof origins)[number] {
  const place = Math.floor(number / 2) + Math.floor(number / 12)
  return origins[place % origins.length] as (typeof origins)[number]
}

function nameOf(number: number): string {
  const gender = genderOf(number)
  const origin = originOf(number)
  const names = { woman: origin.women, man: origin.men, nonbinary: origin.both }[gender].split(' ')
  const before = Array.from({ length: number }, (_, other) => other)
  const alike = before.filter((other) => genderOf(other) === gender && originOf(other) === origin).length
  return names[alike % names.length] as string
}

function looksOf(number: number, gender: DemoPerson['gender'], age: number): Look[] {
  const origin = originOf(number)
  const of = (what: string) => `${number} ${what}`
  const style = (age > 50 ? gray[gender] : heads[gender]).split(' ')
  const head = pick(
    style.filter((one) => origin.wears.test(one) || !rooted.test(one)),
    of('head'),
  )
  const wearsGlasses = chance(of('wears')) < 0.28
  const bearded = gender === 'man' && chance(of('bearded')) < 0.5
  const constant = {
    seed: of('seed'),
    head,
    skin: pick(origin.skins, of('skin')),
    hair: age > 50 ? 'b9b2aa' : pick(origin.hair, of('hair')),
    beard: bearded ? pick(beards, of('beard')) : null,
  }
  return Array.from({ length: 2 + Math.floor(chance(of('photos')) * 3) }, (_, photo) => ({
    ...constant,
    face: calm[(number + photo) % calm.length] as string,
    clothes: clothes[(number * 7 + photo * 3) % clothes.length] as string,
    glasses: wearsGlasses && photo !== 2 ? pick(glasses, of('glasses')) : null,
    scene: number * 5 + photo * 2,
    zoom: 0.92 + chance(of(`zoom ${photo}`)) * 0.4,
    shift: (chance(of(`shift ${photo}`)) - 0.5) * 0.16,
  }))
}

// The n-th answer to a prompt uses the n-th combination of parts, so the first hundred all differ.
function promptsOf(number: number): DemoPerson['prompts'] {
  return [0, 1].map((which) => {
    const prompt = promptIds[(number + which * 5) % promptIds.length] as (typeof promptIds)[number]
    const [first, second] = answers[prompt]
    const turn = Math.floor(number / promptIds.length) * 2 + which
    const one = first[turn % first.length] as string
    const other = second[(turn + Math.floor(turn / first.length)) % second.length] as string
    const text = `${one} ${other}`
    return { prompt, answer: text.replace(/^./u, (first) => first.toUpperCase()) }
  })
}

function personOf(number: number): DemoPerson {
  const gender = genderOf(number)
  const age = 21 + Math.floor(chance(`${number} age`) ** 1.5 * 38)
  const start = Math.floor(chance(`${number} interests`) * interestIds.length)
  const interests = Array.from(
    { length: 3 + Math.floor(chance(`${number} many`) * 5) },
    (_, i) => interestIds[(start + i * 13) % interestIds.length] as string,
  )
  const round = Math.floor(number / beginnings.length)
  return {
    id: idOf(number),
    email: `demo-${number}@duet.example`,
    name: nameOf(number),
    age,
    days: Math.floor(chance(`${number} days`) * 360),
    gender,
    bio: `${beginnings[number % beginnings.length]} ${ends[(number * 7 + round * 3) % ends.length]}`,
    prompts: promptsOf(number),
    interests,
    intents: wanted[number % wanted.length] as DemoPerson['intents'],
    facts: factsOf((what) => chance(`${number} ${what}`), gender),
    answers: answersBy((what) => chance(`${number} ${what}`)),
    looks: looksOf(number, gender, age),
  }
}

export const guestNumber = 11
export const guestId = () => (demoPeople()[guestNumber] as DemoPerson).id

let everybody: readonly DemoPerson[] | undefined

export function demoPeople(): readonly DemoPerson[] {
  everybody ??= Array.from({ length: count }, (_, number) => personOf(number))
  return everybody
}
