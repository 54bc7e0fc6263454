import type { messages as chat } from '../chat/messages/en.ts'
import type { messages as explorer } from '../explorer/messages/en.ts'
import type { messages as home } from '../home/messages/en.ts'
import type { messages as common } from '../i18n/messages/en.ts'
import type { messages as operations } from '../operations/messages/en.ts'
import type { messages as phone } from '../phone/messages/en.ts'
import type { messages as twins } from '../twins/messages/en.ts'
import type { messages as users } from '../users/messages/en.ts'

/** English messages by feature; the other languages have the same keys. */
export interface FeatureMessages {
  readonly common: typeof common
  readonly home: typeof home
  readonly chat: typeof chat
  readonly phone: typeof phone
  readonly twins: typeof twins
  readonly operations: typeof operations
  readonly users: typeof users
  readonly explorer: typeof explorer
}
