export { embeddedMemory } from '../embedded/embedded-memory.ts'
export type { MemoryTables } from '../embedded/memory-tables.ts'
export { memoryMigrations } from '../embedded/memory-tables.ts'
export { rememberedFacts } from '../remembered-facts.ts'
export {
  type LabelledFacts,
  type LabelledQuestion,
  labelledFacts,
  type Wording,
} from './labelled-facts.test.support.ts'
