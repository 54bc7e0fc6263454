import { routeBuilder } from '@sibyl/plugin/host'
import type { CoreVariables } from './core-environment.ts'

/** Creates routes of core, whose handlers can also read the variables of core. */
export const coreRoute = routeBuilder<CoreVariables>()
