// The credential of a claim is stored first, and the approval that it follows from in a transaction of its own.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/claims/src/evaluation/decide-claim.ts',
    find: `    await storage.write(async tx => {
      const stored = prepared && (await issuer?.store(prepared, tx).catch(asConflict))`,
    replace: `    const stored = prepared && (await storage.write(tx => issuer?.store(prepared, tx)))
    await new Promise(resolve => setTimeout(resolve, 50))
    await storage.write(async tx => {`,
  },
])
