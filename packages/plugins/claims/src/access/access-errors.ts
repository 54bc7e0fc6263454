import { ToolFailure } from '@sibyl/plugin'

/** The caller may not do what was requested. */
export class ScopeMissing extends ToolFailure {
  override readonly code = 'scope_missing'
  override readonly status = 403

  /** @param scope the scope that is needed */
  constructor(scope: string) {
    super(`This caller does not hold the scope ${scope}.`)
  }
}

/** Somebody wants to make a collection whose word does not count for the oracle. */
export class MakerNotAllowed extends ToolFailure {
  override readonly code = 'collection_maker_not_allowed'
  override readonly status = 403

  constructor() {
    super(
      'Only the oracle and its controllers make collections, and those to whom one of them gave the ability claims/manage: the oracle signs what collections approve.',
    )
  }
}
