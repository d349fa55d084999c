import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

type CardProps = ComponentProps<'section'> & {
  tone?: 'surface' | 'reason'
}

export function Card({ tone = 'surface', className, ...rest }: CardProps) {
  const look = tone === 'reason' ? 'bg-accent-soft' : 'bg-surface shadow-one'
  return <section {...rest} className={classNames('rounded-l px-5.5 py-5', look, className)} />
}
