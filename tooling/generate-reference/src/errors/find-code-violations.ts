import { refusalReasons } from '@sibyl/identity'
import { findPackages } from '@sibyl/tooling-source'
import { compareCodes } from './compare-codes.ts'
import { declaredCodes } from './declared-codes.ts'
import { documentedCodes } from './documented-codes.ts'

/** Returns what the page of errors lacks, or has too much: one sentence each. */
export const findCodeViolations = (page: string): string[] =>
  compareCodes(declaredCodes(findPackages()), documentedCodes(page), {
    'ucan_*': Object.keys(refusalReasons).map(reason => `ucan_${reason}`),
  })
