export { type EntityEventRecord, entityEventRecord } from './entity-event.ts'
export type { DomainClass } from './entity-members.ts'
