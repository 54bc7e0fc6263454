import type { PersonalRecords } from '@sibyl/plugin'
import type { KeptOutputs } from './kept-outputs.ts'

/** The outputs of a person's programs, which are stored for a day. */
export const outputRecords = (outputs: Pick<KeptOutputs, 'list' | 'erase'>): PersonalRecords => ({
  async export(did) {
    const list = await outputs.list(did)
    if (list.length === 0) return undefined
    return list.map(({ name, text, keptAt }) => ({ name, text, at: new Date(keptAt).toISOString() }))
  },
  erase: did => outputs.erase(did),
})
