import { z } from 'zod'
import { gatewayEnv } from './gateway/gateway-env.ts'
import { keysEnv } from './keys/keys-env.ts'

/** The variables of all rooms. */
export const ussdEnv = z.object({ ...keysEnv, ...gatewayEnv })

/** What they were read as. */
export type UssdEnv = z.output<typeof ussdEnv>
