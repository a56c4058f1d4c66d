import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Loaded into a server by `--import`: writes the address of each module that is loaded to the file MODULE_LOG.
const file = process.env['MODULE_LOG'];
if (file !== undefined)
  registerHooks({
    load: (url, context, nextLoad) => {
      appendFileSync(file, `${url}\n`);
      return nextLoad(url, context);
    },
  });
