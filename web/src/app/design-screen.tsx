import { Heart, MapPin, Send, Settings, Undo2, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { toast } from '../platform/toast.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Figure } from '../ui/figure.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Chip, RemovableChip } from '../ui/form/chip.tsx'
import { ChoiceCard } from '../ui/form/choice-card.tsx'
import { Field } from '../ui/form/field.tsx'
import { Segmented } from '../ui/form/segmented.tsx'
import { Select } from '../ui/form/select.tsx'
import { SliderRange } from '../ui/form/slider-range.tsx'
import { Switch } from '../ui/form/switch.tsx'
import { TextArea } from '../ui/form/text-area.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Confirm } from '../ui/overlay/confirm.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import { Popover } from '../ui/overlay/popover.tsx'
import { Face } from '../ui/photo/face.tsx'
import { Photograph } from '../ui/photo/photograph.tsx'
import { Progress } from '../ui/progress.tsx'
import { RoundAction } from '../ui/round-action.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Tag } from '../ui/tag.tsx'
import { Wordmark } from '../ui/wordmark.tsx'

const photo = {
  url: '/icon.svg?sample',
  alt: 'Two rings',
  width: 640,
  height: 640,
  blurhash: 'LSMj]DNG~qt7xuayWBj[xuofRjWB',
}

export default function DesignScreen() {
  return (
    <main className="grid lg:grid-cols-2">
      <h1 className="sr-only">Design system</h1>
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} data-theme={theme} className="grid content-start gap-10 bg-paper p-6 text-ink sm:p-10">
          <Wordmark />
          <Acts />
          <Forms />
          <Pieces />
          <States />
        </div>
      ))}
    </main>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="display mb-4 text-xl">{title}</h2>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </section>
  )
}

function Acts() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'popover'>()
  const close = () => setOpen(undefined)
  return (
    <Group title="Acts">
      <Button>Primary</Button>
      <Button variant="quiet">Quiet</Button>
      <Button variant="text">Text</Button>
      <Button variant="danger">Danger</Button>
      <Button busy>Busy</Button>
      <Button disabled>Disabled</Button>
      <Button size="s">Small</Button>
      <Button size="l" wide>
        Large and wide
      </Button>
      <IconButton label="Settings" icon={<Settings aria-hidden="true" />} badge={<Badge count={3} floating />} />
      <RoundAction size="s" label="Undo" icon={<Undo2 aria-hidden="true" />} />
      <RoundAction label="Pass" icon={<X aria-hidden="true" />} />
      <RoundAction size="l" filled label="Like" icon={<Heart aria-hidden="true" fill="currentColor" stroke="none" />} />
      <Button variant="quiet" onClick={() => setOpen('dialog')}>
        Dialog
      </Button>
      <Button variant="quiet" onClick={() => setOpen('confirm')}>
        Confirm
      </Button>
      <Popover
        open={open === 'popover'}
        onOpenChange={(next) => setOpen(next ? 'popover' : undefined)}
        label="A popover"
        trigger={<Button variant="quiet">Popover</Button>}
      >
        <p className="p-5">Something small.</p>
      </Popover>
      <Menu
        trigger={<Button variant="quiet">Menu</Button>}
        items={[
          { label: 'Settings', icon: <Settings />, onSelect: close },
          { label: 'Block', danger: true, icon: <X />, onSelect: close },
        ]}
      />
      <Button
        variant="quiet"
        icon={<Send aria-hidden="true" />}
        onClick={() => toast.success('Sent.', { undo: { label: 'Undo', onUndo: close } })}
      >
        Toast
      </Button>
      <Dialog open={open === 'dialog'} onOpenChange={close} title="A dialog" description="A sheet on phones." />
      <Confirm open={open === 'confirm'} onOpenChange={close} title="Block Ines?" act="Block Ines" onConfirm={close} />
    </Group>
  )
}

function Forms() {
  const [text, setText] = useState('A photo of her hands.')
  const [on, setOn] = useState(true)
  const [mode, setMode] = useState<'deck' | 'nearby'>('deck')
  const [ages, setAges] = useState([24, 52])
  const change = { value: text, onChange: (event: { target: { value: string } }) => setText(event.target.value) }
  return (
    <Group title="Fields">
      <Field frameClassName="w-full" label="Name" hint="Your first name is enough." {...change} />
      <Field frameClassName="w-full" label="Email" error="Enter an email address." {...change} />
      <Field frameClassName="w-full" size="l" label="Large" {...change} />
      <TextArea frameClassName="w-full" label="About you" maxLength={120} {...change} />
      <Select frameClassName="w-full" label="Language" options={[{ value: 'en', label: 'English' }]} />
      <div className="w-full">
        <ChoiceCard name="choice" label="Relationship" hint="Something that lasts" defaultChecked />
      </div>
      <Checkbox label="I agree" checked={on} onChange={(event) => setOn(event.target.checked)} />
      <Switch label="Show me" checked={on} onChange={setOn} className="w-full" />
      <SliderRange
        className="w-full"
        label="Age"
        text={ages.join('–')}
        thumbs={['From', 'To']}
        min={18}
        max={99}
        value={ages}
        onChange={setAges}
      />
      <Segmented
        label="Mode"
        value={mode}
        onChange={setMode}
        options={[
          { value: 'deck', label: 'Deck' },
          { value: 'nearby', label: 'Nearby' },
        ]}
      />
      <Chip pressed={on} onClick={() => setOn(!on)} icon={<MapPin aria-hidden="true" />}>
        Chip
      </Chip>
      <RemovableChip label="24–52" onRemove={() => setOn(false)} />
    </Group>
  )
}

function Pieces() {
  return (
    <Group title="Pieces">
      <Face name="Ines Vaz" photo={null} online />
      <Face name="Ines Vaz" photo={photo} size={52} />
      <Face name="Ines Vaz" photo={null} size={66} />
      <Badge count={2} />
      <Tag shared>Long walks</Tag>
      <Tag>Cats</Tag>
      <Progress value={3} max={9} label="3 of 9" className="w-full" />
      <Card className="w-full">
        <h3 className="text-s text-ink-2">A small thing I am proud of</h3>
        <p className="mt-1.5 font-display text-[23px]/[1.28]">I learned to bake my grandmother’s bread.</p>
      </Card>
      <Card tone="reason" className="w-full">
        <h3 className="text-s font-[620] text-accent">Why Ines</h3>
        <p>You both love long walks</p>
      </Card>
      <div className="aspect-3/4 w-60 overflow-hidden rounded-xl shadow-one">
        <Photograph photo={photo} sizes="240px" />
      </div>
    </Group>
  )
}

function States() {
  return (
    <Group title="States">
      <div className="w-full">
        <SkeletonRows rows={2} />
      </div>
      <EmptyState figure="people" text="No one new today. Widen your filters." action={<Button>Filters</Button>} />
      <ErrorState onRetry={() => undefined} />
      <Figure name="letters" />
      <Figure name="bell" />
      <Figure name="search" />
      <Figure name="photo" />
    </Group>
  )
}
