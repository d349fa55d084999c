import { expect, test } from 'vitest'
import { clearPlace } from './toast-place.ts'

const box = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const onDesk = box(1060, 72, 356, 54)
const onPhone = box(16, 16, 358, 54)

test('a toast stays in its usual place while nothing is in the way', () => {
  expect(clearPlace(onDesk, [], [], desk)).toEqual(onDesk)
  expect(clearPlace(onDesk, [box(460, 100, 520, 700)], [], desk)).toEqual(onDesk)
})

test('a toast moves beside a popover or a sheet if there is room', () => {
  expect(clearPlace(onDesk, [box(1040, 64, 400, 460)], [], desk)).toEqual(box(1040 - 8 - 356, 72, 356, 54))
  expect(clearPlace(onDesk, [box(960, 0, 480, 900)], [], desk)).toEqual(box(960 - 8 - 356, 72, 356, 54))
})

test('a toast moves below a full-width popover and above a full-width sheet', () => {
  expect(clearPlace(onPhone, [box(0, 57, 390, 460)], [], phone)).toEqual(box(16, 525, 358, 54))
  expect(clearPlace(onPhone, [box(0, 67, 390, 777)], [], phone)).toEqual(box(16, 8, 358, 54))
})

test('a toast covers a part without buttons if a panel leaves no other room', () => {
  const panel = box(0, 0, 390, 844)
  expect(clearPlace(onPhone, [panel], [box(16, 780, 358, 56)], phone)).toEqual(onPhone)
  expect(clearPlace(onPhone, [panel], [box(330, 20, 44, 44), box(16, 780, 358, 56)], phone)).toEqual(
    box(16, 72, 358, 54),
  )
})
