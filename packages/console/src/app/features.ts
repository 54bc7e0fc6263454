import { chatFeature } from './chat/chat-feature.ts'
import { homeFeature } from './home/home-feature.ts'
import { operationsFeature } from './operations/operations-feature.ts'
import { phoneFeature } from './phone/phone-feature.ts'
import type { Feature } from './shell/feature.ts'
import { twinsFeature } from './twins/twins-feature.ts'
import { usersFeature } from './users/users-feature.ts'

/** The parts of the console, in the order of the navigation. */
export const features: readonly Feature[] = [
  homeFeature,
  chatFeature,
  phoneFeature,
  twinsFeature,
  operationsFeature,
  usersFeature,
]
