import { OracleError, type Turns } from '@sibyl/plugin'

/** A plugin ran a turn before the oracle was up. */
export class NotBootedError extends OracleError {
  readonly code = 'not_booted'
  override readonly status = 503

  constructor() {
    super('Turns can run once the oracle has booted. Do it in a tool, a route, a job or host.background, not in setup.')
  }
}

/** Turns for the hosts of plugins, which are made before the engine. */
export class LateTurns implements Turns {
  #turns: Turns | undefined

  /** Says where turns run from now on. */
  attach(turns: Turns): void {
    this.#turns = turns
  }

  run(request: Parameters<Turns['run']>[0]): ReturnType<Turns['run']> {
    return this.#attached().run(request)
  }

  decide(...decision: Parameters<Turns['decide']>): ReturnType<Turns['decide']> {
    return this.#attached().decide(...decision)
  }

  stop(...target: Parameters<Turns['stop']>): ReturnType<Turns['stop']> {
    return this.#attached().stop(...target)
  }

  post(...what: Parameters<Turns['post']>): ReturnType<Turns['post']> {
    return this.#attached().post(...what)
  }

  postWithin(...what: Parameters<Turns['postWithin']>): ReturnType<Turns['postWithin']> {
    return this.#attached().postWithin(...what)
  }

  transcripts(...whose: Parameters<Turns['transcripts']>): ReturnType<Turns['transcripts']> {
    return this.#attached().transcripts(...whose)
  }

  forget(...whose: Parameters<Turns['forget']>): ReturnType<Turns['forget']> {
    return this.#attached().forget(...whose)
  }

  #attached(): Turns {
    if (!this.#turns) throw new NotBootedError()
    return this.#turns
  }
}
