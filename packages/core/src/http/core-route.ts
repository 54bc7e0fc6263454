import { routeBuilder } from '@sibyl/plugin'
import type { CoreVariables } from './core-environment.ts'

/** Creates routes of core, whose handlers read core's own variables as well. */
export const coreRoute = routeBuilder<CoreVariables>()
