/** A fault script in `all`: a file of this folder, and each set of options that it is run with. */
export interface ListedFault {
  readonly name: string
  readonly variants?: readonly (readonly string[])[]
}

/** All fault scripts, in the order in which they run. */
export const faults: readonly ListedFault[] = [
  { name: 'kill-nine', variants: [['--engine=sqlite'], ['--engine=postgres']] },
]
