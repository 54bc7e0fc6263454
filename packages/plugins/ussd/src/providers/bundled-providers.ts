import { africasTalking } from './africas-talking.ts'
import { hollatags } from './hollatags.ts'
import { hubtel } from './hubtel.ts'
import type { UssdProvider } from './ussd-provider.ts'

/** The providers that the plugin comes with. */
export const bundledProviders = (): readonly UssdProvider[] => [africasTalking, hollatags, hubtel]
