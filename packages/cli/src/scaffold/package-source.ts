/** The packed packages that a project brings along in its `vendor/`, by the name of the package. */
export type PackageSource = ReadonlyMap<string, PackedPackage>

/** A packed package. */
export interface PackedPackage {
  /** The name of its tarball, such as `sibyl-core-0.1.0.tgz`. */
  readonly fileName: string
  readonly content: Uint8Array
}
