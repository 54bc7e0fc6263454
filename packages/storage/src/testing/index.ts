export { type BreakableWay, breakableWay, type CommitCut } from './breakable-way.ts'
export { type FakeClock, fakeClock } from './fake-clock.ts'
export { type FeltTime, feltTime } from './felt-time.ts'
export { startPostgres, type ThrowawayPostgres } from './start-postgres.ts'
