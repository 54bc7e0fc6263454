/** Where a new project gets `@sibyl/*` from. */
export type PackageSource =
  | {
      /** From the package registry, in this version. */
      readonly kind: 'published'
      readonly version: string
    }
  | {
      /** From files that go into the project's `vendor/`: name of the package to path of its tarball. */
      readonly kind: 'tarballs'
      readonly files: ReadonlyMap<string, string>
    }
