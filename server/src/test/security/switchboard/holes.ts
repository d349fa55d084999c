import type { Hole } from './hole.ts'
import { accessHoles } from './holes/access.ts'
import { moderationHoles } from './holes/moderation.ts'
import { peopleHoles } from './holes/people.ts'
import { photosHoles } from './holes/photos.ts'
import { placesHoles } from './holes/places.ts'
import { rightsHoles } from './holes/rights.ts'
import { signInHoles } from './holes/sign-in.ts'

/** Everything that can be opened, by name. */
export const holes: Hole[] = [
  ...placesHoles,
  ...accessHoles,
  ...signInHoles,
  ...peopleHoles,
  ...photosHoles,
  ...moderationHoles,
  ...rightsHoles,
]
