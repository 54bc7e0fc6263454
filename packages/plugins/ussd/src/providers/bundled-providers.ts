import { africasTalking } from './africas-talking.ts'
import { arkesel } from './arkesel.ts'
import { beem } from './beem.ts'
import { emergent } from './emergent.ts'
import { hollatags } from './hollatags.ts'
import { hubtel } from './hubtel.ts'
import { infobip } from './infobip.ts'
import { nalo } from './nalo.ts'
import { oltranz } from './oltranz.ts'
import type { UssdProvider } from './ussd-provider.ts'

export const bundledProviders = (): readonly UssdProvider[] => [
  africasTalking,
  arkesel,
  beem,
  emergent,
  hollatags,
  hubtel,
  infobip,
  nalo,
  oltranz,
]
