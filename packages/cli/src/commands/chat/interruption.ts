/** What Ctrl-C does: stops the turn that runs and, pressed again, leaves it; between turns what is set with `whenIdle`. */
export class Interruption {
  #turn: { readonly stop: () => Promise<void>; readonly abort: () => void } | undefined
  #presses = 0
  #onStopping: () => void = () => {}
  #onIdle: () => void = () => {}

  /** Whether Ctrl-C was pressed in the last turn. */
  get happened(): boolean {
    return this.#presses > 0
  }

  /** Sets what happens when a turn is about to be stopped. */
  whenStopping(listener: () => void): void {
    this.#onStopping = listener
  }

  /** Sets what happens when no turn runs. */
  whenIdle(listener: () => void): void {
    this.#onIdle = listener
  }

  /**
   * A turn begins.
   *
   * @param stop Stops it at the oracle.
   * @param abort Stops reading it.
   * @returns to be called when it is over
   */
  duringTurn(stop: () => Promise<void>, abort: () => void): () => void {
    this.#turn = { stop, abort }
    this.#presses = 0
    return () => {
      this.#turn = undefined
    }
  }

  /** Ctrl-C was pressed. */
  press(): void {
    const turn = this.#turn
    if (!turn) {
      this.#onIdle()
      return
    }
    this.#presses += 1
    if (this.#presses > 1) {
      turn.abort()
      return
    }
    this.#onStopping()
    turn.stop().catch(() => turn.abort())
  }
}
