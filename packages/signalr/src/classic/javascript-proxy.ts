/**
 * Generates the script of `/hubs` and `/js`, which gives pages `$.connection.<hub>.client` for callbacks and `.server`
 * for methods. The proxy is created after `starting` is bound: creating it binds the handler that lists the hubs with
 * callbacks, and the callbacks must be registered before that runs.
 */
export function proxyScript(url: string, hubName: string, methodNames: readonly string[]): string {
  const hub = JSON.stringify(hubName);
  const methods = methodNames.map(
    (name) => `    proxy.server[${JSON.stringify(camelCase(name))}] = caller(${JSON.stringify(name)});`,
  );
  return `(function ($) {
  'use strict';
  if (typeof $.signalR !== 'function') {
    throw new Error('SignalR: the client script must be loaded before this one.');
  }
  var signalR = $.signalR;
  function bind(proxy, method) {
    $.each(proxy.client, function (name, callback) {
      if ($.isFunction(callback)) proxy[method](name, callback);
    });
  }
  $.hubConnection.prototype.createHubProxies = function () {
    var proxies = {};
    var proxy;
    var caller = function (name) {
      return function () {
        return proxy.invoke.apply(proxy, [name].concat($.makeArray(arguments)));
      };
    };
    this.starting(function () {
      bind(proxy, 'on');
    }).disconnected(function () {
      bind(proxy, 'off');
    });
    proxy = this.createHubProxy(${hub});
    proxy.client = {};
    proxy.server = {};
${methods.join('\n')}
    proxies[${hub}] = proxy;
    return proxies;
  };
  signalR.hub = $.hubConnection(${JSON.stringify(url)}, { useDefaultPath: false });
  $.extend(signalR, signalR.hub.createHubProxies());
})(window.jQuery);
`;
}

function camelCase(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
