import { BootError, defineToolFailures, ToolFailure } from '@sibyl/plugin'

// Each but the last is a ToolFailure, so that model and person may read its text, and by its status and code an HTTP problem as well.

/** A file is larger than one may be. */
export class FileTooLarge extends ToolFailure {
  override readonly code = 'file_too_large'
  override readonly status = 413

  /** @param most In bytes. */
  constructor(most: number) {
    super(`Nothing was kept: a file may have at most ${most.toLocaleString('en')} bytes.`)
  }
}

/** A file is too large for the agent to read. */
export class FileTooLargeToRead extends ToolFailure {
  override readonly code = 'file_too_large_to_read'
  override readonly status = 413

  /** @param url Where its owner has it. */
  constructor(bytes: number, url: string) {
    super(
      `The file has ${bytes.toLocaleString('en')} bytes, which is too much to read here. Its owner has it at GET ${url}.`,
    )
  }
}

/** A person has no room left. */
export class FilesQuotaReached extends ToolFailure {
  override readonly code = 'files_quota_reached'
  override readonly status = 413

  /** @param quota In bytes. */
  constructor(quota: number) {
    super(
      `Nothing was kept: that is more than fits into your ${quota.toLocaleString('en')} bytes. Delete files, and old versions with DELETE /files/versions, first.`,
    )
  }
}

/** The address of a person has its share of the room that is for all. */
export class FilesShareReached extends ToolFailure {
  override readonly code = 'files_share_reached'
  override readonly status = 413

  constructor() {
    super('Nothing was kept: your address has its share of the room for files already. Delete files first.')
  }
}

/** All files together take as much room as they may. */
export class FilesFull extends ToolFailure {
  override readonly code = 'files_full'
  override readonly status = 507

  constructor() {
    super('Nothing was kept: this oracle has no more room for files. Ask the operator to raise FILES_TOTAL_MB.')
  }
}

/** The disk of the files has less free space than it must keep. */
export class FilesDiskLow extends ToolFailure {
  override readonly code = 'files_disk_low'
  override readonly status = 507

  constructor() {
    super('Nothing was kept: the disk for files is almost full. Ask the operator to free space.')
  }
}

/** A person has as many files and versions as one may have. */
export class FilesTooMany extends ToolFailure {
  override readonly code = 'files_too_many'
  override readonly status = 409

  constructor(most: number) {
    super(
      `Nothing was kept: a person may have ${most.toLocaleString('en')} files and old versions together. Delete some first.`,
    )
  }
}

/** The folder of the files cannot be read or written, or something in it is not as it was left. */
export class FilesStorageFailed extends ToolFailure {
  override readonly code = 'files_storage_failed'
  override readonly status = 503

  constructor(options?: ErrorOptions) {
    super('The files cannot be read or written just now. Try again in a minute.', options)
  }
}

/** None of the bytes that were asked for is in the file. */
export class FileRangeInvalid extends ToolFailure {
  override readonly code = 'file_range_invalid'
  override readonly status = 416

  /** @param bytes How many it has. */
  constructor(bytes: number) {
    super(`The file has ${bytes.toLocaleString('en')} bytes, and none of those that were asked for.`)
  }
}

/** At boot: files cannot be kept in the folder that FILES_DIR names. A `BootError`, so that the oracle does not start. */
export class FilesFolderUnusable extends BootError {
  /**
   * @param directory FILES_DIR, as it was given.
   * @param fault What is wrong with it: '"/srv/files" is a file, no folder'.
   */
  constructor(directory: string, fault: string, options?: ErrorOptions) {
    const problem = {
      code: 'files_folder_unusable',
      headline: "Plugin 'files' cannot keep files in the folder of 'FILES_DIR'",
      lines: [
        `FILES_DIR is ${JSON.stringify(directory.slice(0, 200))}, and ${fault}.`,
        'Name a folder that the oracle may write to, or switch the plugin off: features: { files: false } in createOracleApp.',
      ],
      plugin: 'files',
      variable: 'FILES_DIR',
    }
    super([problem], options)
  }
}

/** At boot: other processes on this database keep files in another folder. A `BootError`, so that the oracle does not start. */
export class FilesFolderDiffers extends BootError {
  /**
   * @param directory FILES_DIR, as it was given.
   * @param mark The path of the file that the folder of the database has.
   */
  constructor(directory: string, mark: string, options?: ErrorOptions) {
    const problem = {
      code: 'files_folder_differs',
      headline: "Plugin 'files' found another folder in 'FILES_DIR' than the one that this database's files are in",
      lines: [
        `FILES_DIR is ${JSON.stringify(directory.slice(0, 200))}, and the file ${JSON.stringify(mark.slice(-200))} is not there.`,
        'Set FILES_DIR to the folder that the other processes on this database use, and mount it on each machine.',
        'If you moved the files, move hidden files too. If the old folder is lost, create that file, empty: its files stay lost.',
      ],
      plugin: 'files',
      variable: 'FILES_DIR',
    }
    super([problem], options)
  }
}

export const filesErrors = defineToolFailures({
  file_path_invalid: {
    status: 400,
    message: `The path is none that a file may have: {fault}. Give one such as 'reports/2026-W47.md'.`,
  },
  file_not_found: {
    status: 404,
    message: 'There is no file of that path among yours. `list_files` and `GET /files` tell the paths.',
  },
  file_version_not_found: {
    status: 404,
    message: 'There is no version of that id among yours. `GET /files/versions` tells the ids.',
  },
  file_taken: {
    status: 409,
    message: 'There is a file of that path already. Choose another path, or replace it on purpose.',
  },
  file_changed: {
    status: 412,
    message: 'The file is not as the request expects it to be. Read it again, and send its ETag.',
  },
  file_condition_missing: {
    status: 428,
    message: 'There is a file of that path. Say which one you mean by `If-Match` with its ETag, or with * for any.',
  },
  file_overwrite_unasked: {
    status: 409,
    message:
      'Nothing was written: there is a file of that path, a person must approve that it is overwritten, and nobody can be asked here. Choose a path that is free.',
  },
  file_overwrite_refused: {
    status: 409,
    message: 'Nothing was written: the person did not want the file overwritten.',
  },
  files_erased: {
    status: 409,
    message: 'Nothing was kept: all your files were erased while this one arrived. Send it again if it is to be kept.',
  },
  file_form_refused: {
    status: 415,
    message: 'Send the whole file as it is, without Content-Encoding and Content-Range.',
  },
  files_cursor_invalid: {
    status: 400,
    message: 'The cursor is none that a page gave. Send the `next` of a page, or none to begin anew.',
  },
  files_confirmation_missing: {
    status: 400,
    message:
      'This deletes all your old versions and deleted files for good. Send `?confirm=all` if that is meant, or a path.',
  },
})
