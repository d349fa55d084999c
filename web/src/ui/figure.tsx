const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const
const soft = { fill: 'var(--accent-soft)' } as const

const drawings = {
  people: (
    <>
      <circle cx="112" cy="48" r="34" {...soft} />
      <g {...stroke}>
        <circle cx="62" cy="54" r="17" />
        <path d="M45 50c3-15 26-20 34-4M56 55h.1M66 55h.1M57 62c3 3 7 3 9 0" />
        <path d="M30 118c2-26 16-38 32-38s28 10 32 32" />
        <circle cx="116" cy="62" r="15" />
        <path d="M101 62c-2-22 32-22 30 2 0 8 2 12 5 15M112 62h.1M121 62h.1M112 69c3 3 6 3 9 0" />
        <path d="M94 112c2-18 10-28 22-28 15 0 26 11 28 34" />
        <path d="M16 118h138" />
      </g>
    </>
  ),
  letters: (
    <>
      <circle cx="58" cy="52" r="36" {...soft} />
      <g {...stroke}>
        <path d="M34 44h62a10 10 0 0 1 10 10v26a10 10 0 0 1-10 10H62L44 106V90H34a10 10 0 0 1-10-10V54a10 10 0 0 1 10-10Z" />
        <path d="M42 62h46M42 74h30" />
        <path d="M118 66h14a10 10 0 0 1 10 10v22a10 10 0 0 1-10 10h-6v12l-14-12H98" />
      </g>
    </>
  ),
  bell: (
    <>
      <circle cx="98" cy="58" r="36" {...soft} />
      <g {...stroke}>
        <path d="M54 92c9-8 10-18 10-30a22 22 0 0 1 44 0c0 12 1 22 10 30Z" />
        <path d="M78 100a9 9 0 0 0 17 0M86 40v-8" />
        <path d="M36 50c2-8 6-14 12-18M124 32c6 4 10 10 12 18M20 118h132" />
      </g>
    </>
  ),
  search: (
    <>
      <circle cx="72" cy="58" r="36" {...soft} />
      <g {...stroke}>
        <circle cx="78" cy="60" r="26" />
        <path d="m97 79 24 24M68 56c2-7 8-10 15-9" />
        <path d="M26 118c10-8 22-8 34 0s26 8 38 0 26-8 42 0" />
      </g>
    </>
  ),
  photo: (
    <>
      <circle cx="112" cy="46" r="30" {...soft} />
      <g {...stroke}>
        <rect x="34" y="30" width="84" height="72" rx="10" />
        <path d="m34 88 22-22 18 16 16-14 28 26" />
        <circle cx="94" cy="52" r="7" />
        <path d="M126 44l12 3a8 8 0 0 1 6 10l-13 48a8 8 0 0 1-10 6l-20-6" />
      </g>
    </>
  ),
  cloud: (
    <>
      <circle cx="110" cy="50" r="32" {...soft} />
      <g {...stroke}>
        <path d="M54 92a22 22 0 0 1 0-44 30 30 0 0 1 57-4 24 24 0 0 1 5 48" />
        <path d="m74 82 22 22M96 82l-22 22M20 118h132" />
      </g>
    </>
  ),
  cards: (
    <>
      <circle cx="58" cy="50" r="34" {...soft} />
      <g {...stroke}>
        <rect x="62" y="26" width="62" height="82" rx="12" />
        <path d="M52 38 39 42a10 10 0 0 0-7 12l14 50a10 10 0 0 0 12 7M134 44l7 3a10 10 0 0 1 6 13l-15 44" />
        <path d="m80 66 10 10 18-20M16 118h138" />
      </g>
    </>
  ),
  rest: (
    <>
      <circle cx="106" cy="46" r="32" {...soft} />
      <g {...stroke}>
        <path d="M48 62h64v22a24 24 0 0 1-24 24H72a24 24 0 0 1-24-24Z" />
        <path d="M112 68h8a13 13 0 0 1 0 26h-10M66 48c-6-8 6-12 0-20M82 48c-6-8 6-12 0-20M98 48c-6-8 6-12 0-20" />
        <path d="M28 118h108" />
      </g>
    </>
  ),
} as const

export type FigureName = keyof typeof drawings

export function Figure({ name }: { name: FigureName }) {
  return (
    <svg viewBox="0 0 170 130" aria-hidden="true" className="h-32 w-42 text-ink">
      {drawings[name]}
    </svg>
  )
}
