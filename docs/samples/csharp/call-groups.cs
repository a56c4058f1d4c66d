// POST /api/v1/call/groups: calls everybody in a call group; true: the call is stored for all.
using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;

static class CallGroups
{
    static void Main()
    {
        Run().GetAwaiter().GetResult();
    }

    static async Task Run()
    {
        var url = Environment.GetEnvironmentVariable("TOCSIN_URL");
        var token = Environment.GetEnvironmentVariable("TOCSIN_TOKEN");
        using (var client = new HttpClient())
        {
            client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
            var json = @"{""callGroupIds"": [1], ""msgText"": ""Please come to the control room""}";
            var body = new StringContent(json, Encoding.UTF8, "application/json");
            var answer = await client.PostAsync(url + "/api/v1/call/groups", body);
            answer.EnsureSuccessStatusCode();
            Console.WriteLine(await answer.Content.ReadAsStringAsync());
        }
    }
}
