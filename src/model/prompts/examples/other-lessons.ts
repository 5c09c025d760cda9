import type { Lesson } from './lesson.ts'

/** Configuration, scripts and documents: where weak models lose a comma, an indent or a fence. */
export const otherLessons = {
  json: {
    task: 'settings.json: set the time-out to 30 and add retries, 2.',
    path: 'settings.json',
    before: '{\n  "port": 8080,\n  "timeout": 10\n}\n',
    search: '  "timeout": 10',
    replace: '  "timeout": 30,\n  "retries": 2',
  },
  yaml: {
    task: 'settings.yml: also allow the host b.example.',
    path: 'settings.yml',
    before: 'server:\n  port: 8080\n  hosts:\n    - a.example\n',
    search: '    - a.example',
    replace: '    - a.example\n    - b.example',
  },
  toml: {
    task: 'settings.toml: set the time-out to 30 and add retries, 2.',
    path: 'settings.toml',
    before: '[server]\nport = 8080\ntimeout = 10\n',
    search: 'timeout = 10',
    replace: 'timeout = 30\nretries = 2',
  },
  script: {
    task: 'bin/pack.sh must stop at the first error.',
    path: 'bin/pack.sh',
    before: '#!/bin/sh\ntar -czf out.tgz src\n',
    search: '#!/bin/sh',
    replace: '#!/bin/sh\nset -eu',
    fresh: {
      path: 'bin/size.sh',
      task: 'Write bin/size.sh, which prints the size of out.tgz.',
      text: '#!/bin/sh\nset -eu\nwc -c < "out.tgz"\n',
    },
  },
  docs: {
    task: 'guide.md: correct the port to 8080.',
    path: 'guide.md',
    before: '# Guide\n\nThe server listens on port 80.\n',
    search: 'The server listens on port 80.',
    replace: 'The server listens on port 8080.',
    fresh: {
      path: 'usage.md',
      task: 'Write usage.md with the command that starts the server.',
      text: '# Usage\n\n```sh\nserve --port 8080\n```\n',
    },
  },
  style: {
    task: 'site.css: make links green when the pointer is over them.',
    path: 'site.css',
    before: 'a {\n  color: blue;\n}\n',
    search: '  color: blue;\n}',
    replace: '  color: blue;\n}\n\na:hover {\n  color: green;\n}',
  },
} as const satisfies Record<string, Lesson>
