/** What `sibyl doctor` is called with. */
export interface DoctorOptions {
  /** Ask the model's provider as well. */
  readonly online?: boolean
  /** Answer with one object. */
  readonly json?: boolean
}
