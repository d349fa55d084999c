import type { Hole } from './hole.ts'
import { accessHoles } from './holes/access.ts'
import { accountsHoles } from './holes/accounts.ts'
import { chatHoles } from './holes/chat.ts'
import { databaseHoles } from './holes/database.ts'
import { datesAndBudgetsHoles } from './holes/dates-and-budgets.ts'
import { deckHoles } from './holes/deck.ts'
import { filesHoles } from './holes/files.ts'
import { identitiesHoles } from './holes/identities.ts'
import { likesHoles } from './holes/likes.ts'
import { mailsHoles } from './holes/mails.ts'
import { moderationHoles } from './holes/moderation.ts'
import { passkeyHoles } from './holes/passkeys.ts'
import { peopleHoles } from './holes/people.ts'
import { photosHoles } from './holes/photos.ts'
import { placesHoles } from './holes/places.ts'
import { priceHoles } from './holes/price.ts'
import { pushHoles } from './holes/push.ts'
import { rightsHoles } from './holes/rights.ts'
import { signInHoles } from './holes/sign-in.ts'
import { silenceHoles } from './holes/silence.ts'
import { startHoles } from './holes/start.ts'
import { trainingHoles } from './holes/training.ts'

/** Everything that can be opened, by name. */
export const holes: Hole[] = [
  ...placesHoles,
  ...accessHoles,
  ...signInHoles,
  ...pushHoles,
  ...accountsHoles,
  ...passkeyHoles,
  ...peopleHoles,
  ...photosHoles,
  ...moderationHoles,
  ...rightsHoles,
  ...filesHoles,
  ...datesAndBudgetsHoles,
  ...startHoles,
  ...databaseHoles,
  ...priceHoles,
  ...chatHoles,
  ...silenceHoles,
  ...deckHoles,
  ...likesHoles,
  ...trainingHoles,
  ...mailsHoles,
  ...identitiesHoles,
]
