/**
 * The effect of Ctrl-C: the first stops the running turn, the second exits; between turns it calls the listener of
 * `whenIdle`.
 */
export class Interruption {
  #turn: { readonly stop: () => Promise<void>; readonly abort: () => void } | undefined
  #presses = 0
  #onStopping: () => void = () => {}
  #onIdle: () => void = () => {}

  /** Whether Ctrl-C was pressed in the last turn. */
  get happened(): boolean {
    return this.#presses > 0
  }

  /** Sets the listener that is called before a turn is stopped. */
  whenStopping(listener: () => void): void {
    this.#onStopping = listener
  }

  /** Sets the listener for Ctrl-C between turns. */
  whenIdle(listener: () => void): void {
    this.#onIdle = listener
  }

  /**
   * Registers the start of a turn.
   *
   * @param stop Stops it at the oracle.
   * @param abort Stops reading it.
   * @returns a function to call when it ends
   */
  duringTurn(stop: () => Promise<void>, abort: () => void): () => void {
    this.#turn = { stop, abort }
    this.#presses = 0
    return () => {
      this.#turn = undefined
    }
  }

  /** Handles Ctrl-C. */
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
