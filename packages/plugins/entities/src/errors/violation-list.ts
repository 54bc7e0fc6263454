import type { Violation } from '@sibyl/protocol'

/** Code of a problem in a body or query; docs/reference/errors.md lists the codes with their meaning. */
export type ErrorCode =
  | 'wrong_type'
  | 'missing_property'
  | 'unknown_property'
  | 'not_in_enum'
  | 'too_small'
  | 'too_large'
  | 'too_short'
  | 'too_long'
  | 'too_deep'
  | 'too_many'
  | 'repeated_value'
  | 'name_invalid'
  | 'text_invalid'
  | 'number_invalid'
  | 'unknown_type'
  | 'unknown_member'
  | 'range_invalid'
  | 'unknown_kind'
  | 'reserved_relationship'
  | 'unknown_relationship'
  | 'unknown_target'
  | 'target_deactivated'
  | 'wrong_kind'
  | 'relationship_circle'
  | 'type_misspelt'
  | 'credential_unverified'
  | 'newest_version'
  | 'retired_version'
  | 'not_allowed_here'
  | 'member_invalid'
  | 'unknown_filter'
  | 'more_faults'

/** Maximum number of reported problems of one body. */
const maxViolations = 100

/** Collects the problems of a body; beyond 100 it only reports that there are more. */
export class ViolationList {
  readonly #violations: Violation[] = []

  add(path: string, code: ErrorCode, message: string): void {
    if (this.#violations.length < maxViolations) this.#violations.push({ path, code, message })
    else if (!this.full) {
      this.#violations.push({
        path: '',
        code: 'more_faults',
        message: `There are more than ${maxViolations} problems.`,
      })
    }
  }

  /** True once no more problems are added, so that a check may stop. */
  get full(): boolean {
    return this.#violations.length > maxViolations
  }

  get all(): readonly Violation[] {
    return this.#violations
  }
}
