// POST /api/v1/call/users: calls two people; true: the call is stored for both.
using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;

static class CallUsers
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
            var json = @"{""userIds"": [2, 3], ""msgText"": ""Please call the control room""}";
            var body = new StringContent(json, Encoding.UTF8, "application/json");
            var answer = await client.PostAsync(url + "/api/v1/call/users", body);
            answer.EnsureSuccessStatusCode();
            Console.WriteLine(await answer.Content.ReadAsStringAsync());
        }
    }
}
