/// <reference types="vite/client" />
import type { FeatureMessages } from './i18n/messages.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: FeatureMessages
  }
}
