import { Slider } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import { classNames } from '../class-names.ts'

export interface SliderRangeProps {
  thumbs: readonly string[]
  label: string
  text: string
  min: number
  max: number
  step?: number
  value: readonly number[]
  onChange: (value: number[]) => void
  onCommit?: (value: number[]) => void
  className?: string
}

export default function SliderTrack({
  thumbs,
  label,
  text,
  min,
  max,
  step = 1,
  value,
  onChange,
  onCommit,
  className,
}: SliderRangeProps) {
  const { i18n } = useTranslation()
  return (
    <div className={classNames('grid gap-1', className)}>
      <div className="flex items-baseline justify-between gap-4">
        <span className="text-s font-[540] text-ink-2">{label}</span>
        <span className="text-s font-[620]">{text}</span>
      </div>
      <Slider.Root
        {...{ min, max, step }}
        dir={i18n.dir()}
        value={[...value]}
        onValueChange={onChange}
        onValueCommit={(next) => onCommit?.(next)}
        minStepsBetweenThumbs={value.length > 1 ? 1 : 0}
        className="relative flex h-11 touch-none items-center select-none"
      >
        <Slider.Track className="relative h-1.5 grow rounded-full bg-sunken inset-ring inset-ring-line">
          <Slider.Range className="absolute h-full rounded-full bg-accent" />
        </Slider.Track>
        {thumbs.map((thumb) => (
          <Slider.Thumb
            key={thumb}
            aria-label={thumb}
            className="block size-6 rounded-full border-[1.5px] border-accent bg-surface shadow-one after:absolute after:-inset-3 hover:scale-110"
          />
        ))}
      </Slider.Root>
    </div>
  )
}
