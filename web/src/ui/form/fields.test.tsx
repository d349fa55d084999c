import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { startI18n } from '../../platform/i18n.ts'
import { Field } from './field.tsx'
import { TextArea } from './text-area.tsx'

beforeEach(() => startI18n('en'))

function Line(props: Partial<Parameters<typeof Field>[0]>) {
  const [value, setValue] = useState('')
  return (
    <Field label="Words" maxLength={40} {...props} value={value} onChange={({ target }) => setValue(target.value)} />
  )
}

function Lines() {
  const [value, setValue] = useState('')
  return <TextArea label="Words" maxLength={40} value={value} onChange={({ target }) => setValue(target.value)} />
}

const write = (value: string) => {
  const box = screen.getByLabelText<HTMLInputElement>('Words')
  fireEvent.change(box, { target: { value } })
  return box
}

it.each([
  ['a line', Line],
  ['several lines', Lines],
])('a field for %s keeps text that is too long, and shows an error', (_what, Box) => {
  render(<Box />)
  const paste = `${'x'.repeat(35)}👩‍👩‍👧‍👦`
  const box = write(paste)
  expect(box.value).toBe(paste)
  expect(box.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Too long by 6 characters.')).toBeTruthy()
  write(`  ${'e\u0301'.repeat(40)}\n`)
  expect(box.getAttribute('aria-invalid')).toBeNull()
})

it.each([
  ['a line', Line],
  ['several lines', Lines],
])('a field for %s follows the direction of its text', (_what, Box) => {
  render(<Box />)
  expect(write('مرحبا').getAttribute('dir')).toBe('auto')
  expect(write('').getAttribute('dir')).toBeNull()
})

it.each([{ type: 'email' }, { type: 'password' }, { inputMode: 'numeric' as const }])(
  'a field that isn’t for prose follows the direction of the page (%j)',
  (props) => {
    render(<Line {...props} />)
    expect(write('17').getAttribute('dir')).toBeNull()
  },
)
