export { coreMigrations } from '../database/core-migrations.ts'
export { forgetTimings, insertTiming } from '../timings/timing-store.ts'
export { officePlugin } from './office-plugin.ts'
export { samplePlugin } from './sample-plugin.ts'
