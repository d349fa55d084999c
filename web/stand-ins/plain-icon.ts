import { createElement, type SVGProps } from 'react'

interface IconData {
  name: string
  node: [tag: string, attributes: Record<string, string>][]
}

const attributes = {
  xmlns: 'http://www.w3.org/2000/svg',
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

/**
 * Builds an icon from lucide's data. Lucide's own function also serves other frameworks and is the size of forty icons.
 */
export default function createLucideIcon({ name, node }: IconData) {
  const shapes = node.map(([tag, shape]) => createElement(tag, shape))
  return ({ className = '', ...props }: SVGProps<SVGSVGElement>) =>
    createElement(
      'svg',
      {
        ...attributes,
        'aria-hidden': !props['aria-label'],
        ...props,
        className: `lucide lucide-${name} ${className}`,
      },
      shapes,
    )
}
