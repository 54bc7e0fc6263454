/// <reference types="vite/client" />
import type chat from './chat/messages/en.json'
import type explorer from './explorer/messages/en.json'
import type home from './home/messages/en.json'
import type common from './i18n/messages/en.json'
import type operations from './operations/messages/en.json'
import type phone from './phone/messages/en.json'
import type twins from './twins/messages/en.json'
import type users from './users/messages/en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    /** English messages by feature; the other languages have the same keys. */
    resources: {
      readonly common: typeof common
      readonly home: typeof home
      readonly chat: typeof chat
      readonly phone: typeof phone
      readonly twins: typeof twins
      readonly operations: typeof operations
      readonly users: typeof users
      readonly explorer: typeof explorer
    }
  }
}
