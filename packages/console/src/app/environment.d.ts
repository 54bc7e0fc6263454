/// <reference types="vite/client" />
import type { FeatureMessages } from './shell/feature-messages.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: FeatureMessages
  }
}
